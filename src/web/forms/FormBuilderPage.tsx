import { Button, Group, Stack } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { FieldError } from '../../contract/errors.ts'
import { type Event, eventApi } from '../../contract/events.ts'
import { type FormQuestion, formApi } from '../../contract/forms.ts'
import { query, useCall } from '../api/query.ts'
import { paths } from '../paths.ts'
import { readId } from '../read-id.ts'
import { LeaveGuard } from '../ui/dialogs/LeaveGuard.tsx'
import { EditConflict } from '../ui/forms/EditConflict.tsx'
import { SavingFields } from '../ui/forms/SavingFields.tsx'
import { type DraftQuestion, fieldErrorsOf, newQuestion, toDraft, toQuestions } from './draft-questions.ts'
import styles from './FormBuilderPage.module.css'
import { FormPreview } from './FormPreview.tsx'
import { InvalidFields } from './InvalidFields.tsx'
import { QuestionList } from './QuestionList.tsx'

/** Builds an event's registration form, with a preview of it as visitors will see it. */
export function FormBuilderPage() {
  const eventId = readId(useParams().eventId)
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  const { data, refetch } = useSuspenseQuery({ ...query(formApi.getFormQuestions, { eventId }), staleTime: 0 })
  // A change of the form elsewhere does not replace it while it is being built.
  const [shown, setShown] = useState({ questions: data, round: 0 })
  const show = (questions: FormQuestion[]) => setShown(({ round }) => ({ questions, round: round + 1 }))
  const reload = () => void refetch().then((latest) => latest.data && show(latest.data))
  return <FormBuilder key={shown.round} event={event} latest={shown.questions} onReload={reload} />
}

/** The key by which React recognizes the question on the page. */
function keyOf(draft: DraftQuestion | undefined): { key?: string } {
  return draft ? { key: draft.key } : {}
}

interface Props {
  event: Event
  latest: FormQuestion[]
  onReload: () => void
}

function FormBuilder({ event, latest, onReload }: Props) {
  const save = useCall(formApi.save)
  // Updated by a save instead of replacing the form, so that the focus stays where it is.
  const [saved, setSaved] = useState(() => latest.map(toDraft))
  const [drafts, setDrafts] = useState(saved)
  const [errors, setErrors] = useState<FieldError[]>([])
  const isDirty = drafts !== saved
  const change = (next: DraftQuestion[]) => {
    setDrafts(next)
    setErrors([])
  }

  async function submit(): Promise<void> {
    const { formQuestions, errors: found } = toQuestions(drafts)
    setErrors(found)
    if (found.length > 0) return
    const kept = new Set(drafts.map(({ id }) => id))
    const rmQIds = saved.flatMap(({ id }) => (id === undefined || kept.has(id) ? [] : [id]))
    try {
      const questions = await save.mutateAsync({ payload: { eventId: event.id, formQuestions, rmQIds } })
      // The answer has the order that was sent, so each question keeps its place on the page.
      const next = questions.map((question, index) => ({ ...toDraft(question), ...keyOf(drafts[index]) }))
      setSaved(next)
      setDrafts(next)
    } catch (error) {
      setErrors(fieldErrorsOf(error))
    }
  }

  return (
    <div className="page">
      <LeaveGuard isDirty={isDirty} />
      <h1>Registration form</h1>
      <p>
        <Link to={paths.eventHome(event.id)}>{event.name}</Link> asks for name, e-mail and phone by itself. Add what
        else you need to know. Few questions bring more registrations.
      </p>
      <div className={styles.builder}>
        <section aria-labelledby="questions">
          <h2 id="questions">Questions</h2>
          <SavingFields isSaving={save.isPending}>
            <Stack>
              {save.error?.code === 'EDIT_CONFLICT' && <EditConflict onReload={onReload} />}
              <InvalidFields errors={errors} />
              <QuestionList drafts={drafts} errors={errors} onChange={change} />
              <Group>
                <Button data-add variant="light" onClick={() => change([...drafts, newQuestion()])}>
                  Add a question
                </Button>
                <Button
                  loading={save.isPending}
                  data-disabled={!isDirty}
                  aria-disabled={!isDirty}
                  onClick={() => {
                    if (isDirty) void submit()
                  }}
                >
                  Save the form
                </Button>
              </Group>
            </Stack>
          </SavingFields>
        </section>
        <FormPreview drafts={drafts} />
      </div>
    </div>
  )
}
