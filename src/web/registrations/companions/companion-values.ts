import * as z from 'zod/mini'
import type { FieldError } from '../../../contract/errors.ts'
import { type FormQuestion, questionsFor, validateAnswers } from '../../../contract/forms.ts'
import { type Companion, companion } from '../../../contract/registrations.ts'
import { wrongFields } from '../../../contract/wrong-fields.ts'
import * as texts from '../../../texts/generated/registration.ts'
import { type FieldErrors, questionName, valuesOf } from '../registration-values.ts'
import { companionPrefix, MEMBER, TICKET_TYPE } from '../typed.ts'

interface Asked {
  questions: readonly FormQuestion[]
  /** The only ticket type; undefined where there are several to choose from. */
  onlyType: number | undefined
}

/** The companions as typed, by their numbers in the form, and what is wrong with them by the names of the fields. */
export function readCompanions(form: HTMLFormElement, people: readonly number[], asked: Asked) {
  const data = new FormData(form)
  const read = people.map((person) => readOne(data, person, asked))
  return { companions: read.map((each) => each.values), errors: Object.assign({}, ...read.map((each) => each.errors)) }
}

function readOne(data: FormData, person: number, { questions, onlyType }: Asked) {
  const prefix = companionPrefix(person)
  const ticketTypeId = onlyType ?? (Number(data.get(prefix + TICKET_TYPE)) || undefined)
  const asked = questionsFor(questions, ticketTypeId, true)
  const memberId = String(data.get(prefix + MEMBER) ?? '').trim()
  const values: Companion = {
    ticketTypeId,
    registrationData: valuesOf(data, asked, prefix),
    extrasIds: [],
    ...(memberId !== '' && { memberId }),
  }
  const result = z.safeParse(companion, values)
  const wrong = [
    ...(ticketTypeId === undefined ? [{ path: 'ticketTypeId', msg: texts.chooseTicket }] : []),
    ...(result.success ? [] : wrongFields(result.error.issues)),
    ...validateAnswers(asked, values.registrationData.others),
  ]
  return { values, errors: byName(wrong, person, asked) }
}

/** The errors about companions in a refusal, by the names of the fields. */
export function companionErrors(
  fields: readonly FieldError[],
  people: readonly number[],
  sent: readonly Companion[],
  questions: readonly FormQuestion[],
): FieldErrors {
  const of = people.map((person, at) => {
    const start = `companions.${at}.`
    const own = fields.filter(({ path }) => path.startsWith(start))
    const found = own.map(({ path, msg }) => ({ path: path.slice(start.length), msg }))
    return byName(found, person, questionsFor(questions, sent[at]?.ticketTypeId, true))
  })
  return Object.assign({}, ...of)
}

const fieldNames: Readonly<Record<string, string>> = { ticketTypeId: TICKET_TYPE, memberId: MEMBER }

function byName(wrong: readonly FieldError[], person: number, questions: readonly FormQuestion[]): FieldErrors {
  const errors: Record<string, string> = {}
  const prefix = companionPrefix(person)
  for (const { path, msg } of wrong) {
    const question = questions[Number(/others\.(\d+)\./.exec(path)?.[1] ?? -1)]
    const field = /(?:^|\.)(email|ticketTypeId|memberId)/.exec(path)?.[1] ?? 'name'
    const name = question ? questionName(question) : (fieldNames[field] ?? field)
    errors[prefix + name] ??= msg()
  }
  return errors
}
