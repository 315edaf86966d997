import { useState } from 'react'
import type { Event } from '../../contract/event.ts'
import { type FormQuestion, formApi } from '../../contract/forms.ts'
import type { TicketType } from '../../contract/ticket-type.ts'
import * as texts from '../../texts/generated/formBuilder.ts'
import { useCall } from '../api/query.ts'
import { countChanges, type DraftForm, firstChanged } from './draft-form.ts'
import { type DraftQuestion, moved, newQuestion, readStored, toSend } from './draft-questions.ts'
import { type EditHistory, record, redo, startHistory, undo } from './history/edit-history.ts'
import { fieldId, isSame, type Problem, problemsIn, problemsOf } from './problems.ts'
import { useFocusAfterRender } from './use-focus-after-render.ts'

/** The id of the button that adds a question. */
export const ADD_BUTTON = 'add-question'

function readForm(event: Event, latest: readonly FormQuestion[]) {
  const { drafts, stored } = readStored(latest)
  const form: DraftForm = { phoneField: event.phoneField, questions: drafts }
  return { form, stored }
}

/** The state of the form builder: the form with its edits, which question is open, what is wrong, and saving. */
export function useFormBuilder(event: Event, latest: readonly FormQuestion[], ticketTypes: readonly TicketType[]) {
  const call = useCall(formApi.save)
  // Updated by a save instead of replacing the form, so that the focus stays where it is.
  const [saved, setSaved] = useState(() => readForm(event, latest))
  const [history, setHistory] = useState(() => startHistory(saved.form))
  const [openKey, setOpenKey] = useState<number | null>(null)
  const [shown, setShown] = useState<readonly Problem[]>([])
  const [refused, setRefused] = useState<readonly Problem[]>([])
  const [failures, setFailures] = useState(0)
  const [message, setMessage] = useState('')
  const [hasSaved, setHasSaved] = useState(false)
  const focus = useFocusAfterRender()
  const form = history.present
  const { questions } = form
  const changes = countChanges(saved.form, form)
  const numberOf = (key: number) => questions.findIndex((question) => question.key === key) + 1

  function edit(next: Partial<DraftForm>, name: string, field?: string): void {
    const at = Date.now()
    setHistory((before) => record(before, { next: { ...before.present, ...next }, name, field, at }))
    setRefused([])
    setMessage('')
  }

  function travel(move: typeof undo<DraftForm>, wordsOf: (next: EditHistory<DraftForm>) => string): void {
    const next = call.isPending ? null : move(history)
    if (!next) return
    setHistory(next)
    setRefused([])
    setMessage(wordsOf(next))
    const changed = firstChanged(form, next.present)
    if (changed) setOpenKey(changed.key)
    // The field with the focus may be gone.
    focus.keep(ADD_BUTTON)
  }

  function fail(): void {
    setFailures((count) => count + 1)
  }

  async function save(): Promise<void> {
    if (call.isPending) return
    if (changes === 0) return setMessage(texts.nothingToSave())
    const found = problemsIn(questions)
    setShown(found)
    setRefused([])
    if (found.length > 0) return fail()
    try {
      const { phoneField } = form
      const asked = phoneField === saved.form.phoneField ? {} : { phoneField }
      const payload = { eventId: event.id, ...toSend(questions, saved.stored), ...asked }
      const answer = await call.mutateAsync({ payload })
      // The answer has the order that was sent, so each question keeps its place on the page.
      const { drafts, stored } = readStored(
        answer,
        questions.map(({ key }) => key),
      )
      const next = { phoneField, questions: drafts }
      setSaved({ form: next, stored })
      setHistory((before) => ({ ...before, present: next, typing: null }))
      setHasSaved(true)
      setMessage('')
    } catch (error) {
      const named = problemsOf(error, questions)
      setRefused(named)
      if (named.length > 0) fail()
    }
  }

  return {
    form,
    ticketTypes,
    openKey,
    changes,
    hasSaved,
    message,
    failures,
    isSaving: call.isPending,
    isConflict: call.error?.code === 'EDIT_CONFLICT',
    /** Those of the last try to save that are not solved yet. */
    problems: [...refused, ...problemsIn(questions).filter((each) => shown.some((one) => isSame(one, each)))],
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => travel(undo, ({ future }) => texts.undone({ step: future[0]?.name ?? '' })),
    redo: () => travel(redo, ({ past }) => texts.redone({ step: past.at(-1)?.name ?? '' })),
    save,
    toggle: (key: number) => setOpenKey(openKey === key ? null : key),
    add: () => {
      const question = newQuestion()
      edit({ questions: [...questions, question] }, texts.stepAdded({ position: questions.length + 1 }))
      setOpenKey(question.key)
      focus.on(fieldId({ key: question.key, field: 'text' }))
    },
    /** `field` is the text field in which it was typed. */
    change: (next: DraftQuestion, field?: string) => {
      const changed = questions.map((question) => (question.key === next.key ? next : question))
      edit(
        { questions: changed },
        texts.stepChanged({ position: numberOf(next.key) }),
        field && fieldId({ key: next.key, field }),
      )
    },
    move: (from: number, to: number) => {
      edit({ questions: moved(questions, from, to) }, texts.stepMoved({ position: from + 1 }))
      setMessage(texts.nowNumber({ from: from + 1, to: to + 1 }))
    },
    remove: (key: number) => {
      const position = numberOf(key)
      const rest = questions.filter((question) => question.key !== key)
      edit({ questions: rest }, texts.stepRemoved({ position }))
      setMessage(texts.removed({ position }))
    },
    askForPhone: (phoneField: DraftForm['phoneField']) => edit({ phoneField }, texts.stepPhone()),
    /** Opens the question of a problem and moves the focus to the field. */
    goTo: ({ key, field }: Problem) => {
      setOpenKey(key)
      focus.on(key === null ? ADD_BUTTON : fieldId({ key, field }))
    },
  }
}

export type FormBuilderState = ReturnType<typeof useFormBuilder>
