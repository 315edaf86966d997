import type { Code, CodeFields, CodeKind } from '../../contract/codes.ts'
import type { FieldError } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import { fromLocalInput, toLocalInput } from '../../contract/values/dates.ts'
import { editableAmount, minorUnits } from '../../contract/values/typed-amounts.ts'
import { asTypedMoment, parseTypedMoment } from '../../contract/values/typed-moments.ts'
import * as texts from '../../texts/generated/codesPage.ts'
import * as eventTexts from '../../texts/generated/eventInput.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'

/** What a code does, as its form offers it: only opening tickets is no percent off. */
export const codeChoices = ['percent', 'amount', 'price', 'none'] as const satisfies readonly (CodeKind | 'none')[]
export type CodeChoice = (typeof codeChoices)[number]

/** A code as its form holds it: numbers are text, times are in the event's zone. */
export interface CodeValues {
  code: string
  choice: CodeChoice
  value: string
  ticketTypeIds: string[]
  maxUses: string
  opensAt: string
  closesAt: string
  note: string
}

type Of = Pick<Event, 'currency' | 'timeZone'>

export function valuesOf(code: Code | null, { currency, timeZone }: Of): CodeValues {
  const local = (moment: Date | null) => (moment ? asTypedMoment(toLocalInput(moment, timeZone)) : '')
  if (!code)
    return {
      ...{
        code: '',
        choice: 'percent',
        value: '',
        ticketTypeIds: [],
        maxUses: '',
        opensAt: '',
        closesAt: '',
        note: '',
      },
    }
  const { kind, value, ticketTypeIds, maxUses, opensAt, closesAt, note } = code
  const isNone = kind === 'percent' && value === 0
  return {
    code: code.code,
    choice: isNone ? 'none' : kind,
    value: isNone ? '' : kind === 'percent' ? String(value) : editableAmount(value, currency),
    ticketTypeIds: ticketTypeIds.map(String),
    maxUses: maxUses === null ? '' : String(maxUses),
    opensAt: local(opensAt),
    closesAt: local(closesAt),
    note,
  }
}

/** The fields of the call, and errors for the texts that could not be parsed. */
export function fieldsOf(values: CodeValues, { currency, timeZone }: Of): { fields: CodeFields; errors: FieldError[] } {
  const errors: FieldError[] = []
  const wrong = (path: keyof CodeValues, msg: FieldError['msg']) => {
    errors.push({ path, msg })
    return null
  }
  const moment = (path: 'opensAt' | 'closesAt') => {
    if (values[path].trim() === '') return null
    return fromLocalInput(parseTypedMoment(values[path]) ?? '', timeZone) ?? wrong(path, eventTexts.momentLike)
  }
  const { choice } = values
  const typed = values.value.trim()
  const read = () => {
    if (choice === 'none') return 0
    if (choice === 'percent') return /^\d{1,3}$/.test(typed) ? Number(typed) : wrong('value', texts.percentNeeded)
    return minorUnits(values.value, currency) ?? wrong('value', fieldTexts.amountNeeded)
  }
  const uses = values.maxUses.trim()
  const fields: CodeFields = {
    code: values.code,
    kind: choice === 'none' ? 'percent' : choice,
    value: read() ?? 0,
    ticketTypeIds: values.ticketTypeIds.map(Number),
    maxUses: uses === '' ? null : /^\d{1,9}$/.test(uses) ? Number(uses) : wrong('maxUses', fieldTexts.wholeNumber),
    opensAt: moment('opensAt'),
    closesAt: moment('closesAt'),
    note: values.note,
  }
  return { fields, errors }
}

/** A code that is easy to read aloud and hard to guess: without letters and digits that look alike. */
export function newCode(): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => letters[byte % letters.length]).join('')
}
