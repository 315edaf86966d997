import type { FieldError } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import type { TicketType } from '../../contract/ticket-type.ts'
import { newTicketType, type TicketTypeFields } from '../../contract/ticket-types.ts'
import { fromLocalInput, toLocalInput } from '../../contract/values/dates.ts'
import { editableAmount, minorUnits } from '../../contract/values/typed-amounts.ts'
import { asTypedMoment, parseTypedMoment } from '../../contract/values/typed-moments.ts'
import * as texts from '../../texts/generated/eventInput.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'

/** A ticket type as its form holds it: every field is text, times are in the event's zone. */
export type TypeValues = Record<Exclude<keyof TicketTypeFields, 'access'>, string> & Pick<TicketTypeFields, 'access'>

type Of = Pick<Event, 'currency' | 'timeZone'>

export function valuesOf(type: TicketType | null, { currency, timeZone }: Of): TypeValues {
  const {
    name,
    description,
    price,
    maxQuantity,
    minPerOrder,
    maxPerOrder,
    saleOpensAt,
    saleClosesAt,
    access,
    maxPerMember,
  } = type ?? {
    name: '',
    ...newTicketType,
  }
  const local = (moment: Date | null) => (moment ? asTypedMoment(toLocalInput(moment, timeZone)) : '')
  return {
    ...{ name, description, access },
    price: editableAmount(price, currency),
    maxQuantity: maxQuantity === null ? '' : String(maxQuantity),
    maxPerMember: String(maxPerMember),
    minPerOrder: minPerOrder === 1 ? '' : String(minPerOrder),
    maxPerOrder: maxPerOrder === null ? '' : String(maxPerOrder),
    saleOpensAt: local(saleOpensAt),
    saleClosesAt: local(saleClosesAt),
  }
}

/** The fields of the call, and errors for the texts that could not be parsed. */
export function fieldsOf(
  values: TypeValues,
  { currency, timeZone }: Of,
): { fields: TicketTypeFields; errors: FieldError[] } {
  const errors: FieldError[] = []
  const read = (path: keyof TypeValues, value: FieldError['msg']) => {
    errors.push({ path, msg: value })
    return null
  }
  const moment = (path: 'saleOpensAt' | 'saleClosesAt') => {
    if (values[path].trim() === '') return null
    return fromLocalInput(parseTypedMoment(values[path]) ?? '', timeZone) ?? read(path, texts.momentLike)
  }
  const count = (path: 'maxQuantity' | 'minPerOrder' | 'maxPerOrder' | 'maxPerMember') => {
    const typed = values[path].trim()
    if (typed === '') return null
    return /^\d{1,9}$/.test(typed) ? Number(typed) : read(path, fieldTexts.wholeNumber)
  }
  const fields = {
    name: values.name,
    description: values.description,
    access: values.access,
    price:
      values.price.trim() === ''
        ? 0
        : (minorUnits(values.price, currency) ?? read('price', fieldTexts.amountNeeded) ?? 0),
    maxQuantity: count('maxQuantity'),
    minPerOrder: count('minPerOrder') ?? newTicketType.minPerOrder,
    maxPerOrder: count('maxPerOrder'),
    // Not asked for otherwise.
    maxPerMember: (values.access === 'member' ? count('maxPerMember') : null) ?? newTicketType.maxPerMember,
    saleOpensAt: moment('saleOpensAt'),
    saleClosesAt: moment('saleClosesAt'),
  }
  return { fields, errors }
}
