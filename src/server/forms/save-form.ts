import type { Input } from '../../contract/endpoint.ts'
import { type FieldError, Refusal } from '../../contract/errors.ts'
import { type formApi, hasOptions, MOST_QUESTIONS, type QuestionFields, validateOptions } from '../../contract/forms.ts'
import * as answerTexts from '../../texts/generated/answers.ts'
import * as texts from '../../texts/generated/api.ts'
import type { AdminCaller } from '../access/caller.ts'
import type { OwnEvent } from '../access/own-event.ts'
import { logChange } from '../db/changes.ts'
import type { FormQuestionRow, TicketTypeRow, Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { lockEvent } from '../places/seat-queries.ts'
import { findTicketTypes } from '../records/ticket-type-queries.ts'
import { formDifferences } from './log-form.ts'
import * as queries from './queries.ts'

type FormInput = Input<typeof formApi.save>['payload']

/**
 * Saves the whole form in one transaction. Refuses with EDIT_CONFLICT when somebody else changed it since it was read: a question has
 * another version, is gone, or is missing in the given form. Whether it asks for a phone number is a choice without a version: the last one
 * counts.
 */
export async function saveForm(
  { db, now }: Deps,
  caller: AdminCaller,
  event: OwnEvent,
  { formQuestions, rmQIds, phoneField }: FormInput,
): Promise<FormQuestionRow[]> {
  const wrong = formQuestions.flatMap((question, index) => validateOptions(question, `payload.formQuestions.${index}`))
  if (wrong.length > 0) throw new Refusal('INVALID_INPUT', { fields: wrong })
  return db.transaction().execute(async (tx) => {
    // With the event's row held, no registration is placed against a form that is half changed.
    const asked = (await lockEvent(tx, event.id))?.phoneField
    if (asked === undefined) throw new Refusal('NOT_FOUND')
    const before = await queries.findQuestions(tx, [event.id])
    checkVersions(before, formQuestions, rmQIds)
    checkIds(before, formQuestions, rmQIds)
    checkLength(before, formQuestions, rmQIds)
    const types = await findTicketTypes(tx, event.id)
    checkTicketTypes(types, formQuestions)
    checkAskedOf(before, formQuestions)
    await queries.removeQuestions(tx, rmQIds, now())
    for (const [position, question] of formQuestions.entries())
      await saveQuestion(tx, event, before, question, position)
    const named = new Set([...rmQIds, ...formQuestions.map(({ id }) => id)])
    // Questions that are not named in the given form come last.
    const rest = before.filter(({ id }) => !named.has(id))
    for (const [index, { id }] of rest.entries()) await queries.moveQuestion(tx, id, formQuestions.length + index)
    if (phoneField !== undefined && phoneField !== asked) await queries.setPhoneField(tx, event.id, phoneField)
    const after = await queries.findQuestions(tx, [event.id])
    await logChange(tx, now(), {
      clubId: event.clubId,
      userId: caller.id,
      subject: 'form',
      subjectId: event.id,
      action: 'edited',
      ...formDifferences(
        { questions: before, phoneField: asked },
        { questions: after, phoneField: phoneField ?? asked },
        types,
      ),
    })
    return after
  })
}

/** An id must be one of this event's questions, and appear only once. */
function checkIds(before: FormQuestionRow[], formQuestions: QuestionFields[], rmQIds: number[]): void {
  const known = new Set(before.map(({ id }) => id))
  const seen = new Set<number>()
  const wrong: FieldError[] = []
  const check = (id: number, path: string) => {
    if (!known.has(id)) wrong.push({ path, msg: answerTexts.unknownQuestion })
    else if (seen.has(id)) wrong.push({ path, msg: texts.questionTwice })
    seen.add(id)
  }
  for (const [index, { id }] of formQuestions.entries())
    if (id !== undefined) check(id, `payload.formQuestions.${index}.id`)
  for (const [index, id] of rmQIds.entries()) check(id, `payload.rmQIds.${index}`)
  if (wrong.length > 0) throw new Refusal('INVALID_INPUT', { fields: wrong })
}

/**
 * Limits the length of the whole form, however many saves it took. A longer form from before this rule may be saved as long as it does not
 * grow.
 */
function checkLength(before: FormQuestionRow[], formQuestions: QuestionFields[], rmQIds: number[]): void {
  const added = formQuestions.filter(({ id }) => id === undefined).length
  if (added <= rmQIds.length || before.length - rmQIds.length + added <= MOST_QUESTIONS) return
  const msg = () => answerTexts.mostQuestions({ most: MOST_QUESTIONS })
  throw new Refusal('INVALID_INPUT', { fields: [{ path: 'payload.formQuestions', msg }] })
}

/** A question is asked for ticket types of this event, also for those no longer sold. */
function checkTicketTypes(types: readonly TicketTypeRow[], formQuestions: QuestionFields[]): void {
  const known = new Set(types.map(({ id }) => id))
  const wrong = formQuestions.flatMap(({ ticketTypeIds = [] }, index) =>
    ticketTypeIds.every((id) => known.has(id))
      ? []
      : [{ path: `payload.formQuestions.${index}.ticketTypeIds`, msg: texts.noSuchTicket }],
  )
  if (wrong.length > 0) throw new Refusal('INVALID_INPUT', { fields: wrong })
}

/** Whoever answers for all of an order may have any ticket: a question for some of them might be asked of nobody. */
function checkAskedOf(before: readonly FormQuestionRow[], formQuestions: QuestionFields[]): void {
  const wrong = formQuestions.flatMap((question, index) => {
    const old = before.find(({ id }) => id === question.id)
    const ticketTypeIds = question.ticketTypeIds ?? old?.ticketTypeIds ?? []
    return (question.askedOf ?? old?.askedOf) === 'order' && ticketTypeIds.length > 0
      ? [{ path: `payload.formQuestions.${index}.ticketTypeIds`, msg: texts.onceForEveryTicket }]
      : []
  })
  if (wrong.length > 0) throw new Refusal('INVALID_INPUT', { fields: wrong })
}

/** Checked only when the given form has versions, as the web's does. */
function checkVersions(before: FormQuestionRow[], formQuestions: QuestionFields[], rmQIds: number[]): void {
  const isVersioned = formQuestions.some(({ version }) => version !== undefined)
  const isStale = formQuestions.some(
    ({ id, version }) => version !== undefined && before.find((row) => row.id === id)?.version !== version,
  )
  const named = new Set([...rmQIds, ...formQuestions.map(({ id }) => id)])
  const hasMore = isVersioned && before.some(({ id }) => !named.has(id))
  if (isStale || hasMore) throw new Refusal('EDIT_CONFLICT')
}

async function saveQuestion(
  tx: Tx,
  event: OwnEvent,
  before: FormQuestionRow[],
  { id, version: _, showAtDoor, ticketTypeIds, askedOf, ...rest }: QuestionFields,
  position: number,
): Promise<void> {
  const old = before.find((row) => row.id === id)
  const fields = {
    ...rest,
    showAtDoor: showAtDoor ?? old?.showAtDoor ?? false,
    askedOf: askedOf ?? old?.askedOf ?? 'attendee',
    // In one order, so that the same choice is no edit.
    ticketTypeIds: [...new Set(ticketTypeIds ?? old?.ticketTypeIds)].sort((a, b) => a - b),
  }
  const options = hasOptions(fields.typeId) ? fields.options : []
  const question = { ...fields, options: JSON.stringify(options), position }
  if (id === undefined) return queries.insertQuestion(tx, { ...question, eventId: event.id })
  const content = ({ typeId, text, required, showAtDoor, ticketTypeIds, askedOf }: typeof fields, choices: string[]) =>
    JSON.stringify([typeId, text, required, showAtDoor, ticketTypeIds, askedOf, choices])
  const isEdited = old !== undefined && content(old, old.options) !== content(fields, options)
  return queries.updateQuestion(tx, id, question, isEdited)
}
