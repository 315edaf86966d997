import type { Insertable } from 'kysely'
import type { PhoneField } from '../../contract/phone-field.ts'
import type { Db, FormQuestionRow, Tx } from '../db/schema.ts'
import { runStatement } from '../db/statement.ts'
import type { FormQuestionTable } from '../db/tables/events.ts'
import { questionsOf } from '../records/shared-reads.ts'

/** The questions that these events ask, in their order. */
export async function findQuestions(db: Db, eventIds: readonly number[]): Promise<FormQuestionRow[]> {
  return runStatement(db, questionsOf(eventIds))
}

/** The questions that an event asks or once asked: today's in their order, then those removed. */
export async function findQuestionsEver(db: Db, eventId: number): Promise<FormQuestionRow[]> {
  return db
    .selectFrom('formQuestions')
    .selectAll()
    .where('eventId', '=', eventId)
    .orderBy('removedAt', (order) => order.asc().nullsFirst())
    .orderBy('position')
    .orderBy('id')
    .execute()
}

export async function insertQuestion(tx: Tx, question: Insertable<FormQuestionTable>): Promise<void> {
  await tx.insertInto('formQuestions').values(question).execute()
}

type QuestionEdit = Pick<
  FormQuestionRow,
  'typeId' | 'text' | 'required' | 'showAtDoor' | 'ticketTypeIds' | 'askedOf' | 'position'
> & {
  options: string
}

/** Increments the version only if more than the position changed: moving a question is not an edit. */
export async function updateQuestion(tx: Tx, id: number, edit: QuestionEdit, isEdited: boolean): Promise<void> {
  await tx
    .updateTable('formQuestions')
    .set((eb) => ({ ...edit, ...(isEdited && { version: eb('version', '+', 1) }) }))
    .where('id', '=', id)
    .execute()
}

export async function moveQuestion(tx: Tx, id: number, position: number): Promise<void> {
  await tx.updateTable('formQuestions').set({ position }).where('id', '=', id).execute()
}

export async function removeQuestions(tx: Tx, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx.updateTable('formQuestions').set({ removedAt: now }).where('id', 'in', ids).execute()
}

/** An edit of the event, which is why its version is counted up. */
export async function setPhoneField(tx: Tx, eventId: number, phoneField: PhoneField): Promise<void> {
  await tx
    .updateTable('events')
    .set((eb) => ({ phoneField, version: eb('version', '+', 1) }))
    .where('id', '=', eventId)
    .execute()
}
