import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'
import type { HistoryChange } from '../../contract/history.ts'
import * as texts from '../../texts/generated/historyWords.ts'
import type { Message } from '../../texts/language.ts'
import type { HistoryRow } from './queries.ts'
import * as values from './values.ts'

interface Field {
  label: Message
  words: values.InWords
}

/** A field of which the log has only the name. */
const named = (label: Message): Field => ({ label, words: () => null })

type Fields = Readonly<Record<string, Field>>

const event: Fields = {
  name: { label: texts.name, words: values.text },
  status: { label: texts.status, words: values.eventStatus },
  location: { label: texts.place, words: values.text },
  startsAt: { label: texts.starts, words: values.moment },
  endsAt: { label: texts.ends, words: values.moment },
  timeZone: { label: texts.timeZone, words: values.text },
  maxAttendees: { label: texts.capacity, words: values.limit },
  walkInPlaces: { label: texts.keptPlaces, words: values.count },
  maxPerEmail: { label: texts.perEmail, words: values.count },
  ticketPrice: { label: texts.price, words: values.price },
  currency: { label: texts.currency, words: values.code },
  registrationOpensAt: { label: texts.opens, words: values.moment },
  registrationClosesAt: { label: texts.closes, words: values.moment },
  correctionsUntil: { label: texts.correctionsUntil, words: values.moment },
  allowsHandOn: { label: texts.allowsHandOn, words: values.onOrOff },
  allowsReentry: { label: texts.allowsReentry, words: values.onOrOff },
  keepDays: { label: texts.keepDays, words: values.daysKept },
  phoneField: { label: texts.phoneNumber, words: values.phoneChoice },
  description: named(texts.description),
  banner: named(texts.banner),
}

const form: Fields = {
  phoneField: { label: texts.phoneNumber, words: values.phoneChoice },
  order: named(texts.orderOfQuestions),
}

const question: Fields = {
  text: { label: texts.question, words: values.text },
  typeId: { label: texts.questionType, words: values.questionType },
  required: { label: texts.required, words: values.onOrOff },
  showAtDoor: { label: texts.showAtDoor, words: values.onOrOff },
  isOncePerOrder: { label: texts.oncePerOrder, words: values.onOrOff },
  options: { label: texts.options, words: values.list },
  askedFor: { label: texts.askedFor, words: values.tickets },
}

const voucher: Fields = {
  name: { label: texts.name, words: values.text },
  price: { label: texts.price, words: values.price },
  content: { label: texts.includes, words: values.content },
  maxQuantity: { label: texts.howMany, words: values.limit },
  description: named(texts.description),
}

const ticketType: Fields = {
  name: { label: texts.name, words: values.text },
  price: { label: texts.price, words: values.price },
  maxQuantity: { label: texts.howMany, words: values.limit },
  minPerOrder: { label: texts.leastPerOrder, words: values.limit },
  maxPerOrder: { label: texts.mostPerOrder, words: values.limit },
  saleOpensAt: { label: texts.saleOpens, words: values.moment },
  saleClosesAt: { label: texts.saleCloses, words: values.moment },
  access: { label: texts.whoCanBuy, words: values.ticketAccess },
  maxPerMember: { label: texts.perMember, words: values.count },
  description: named(texts.description),
}

const code: Fields = {
  code: { label: texts.code, words: values.text },
  effect: { label: texts.price, words: values.codeEffect },
  tickets: { label: texts.forTickets, words: values.tickets },
  maxUses: { label: texts.howManyPeople, words: values.limit },
  opensAt: { label: texts.validFrom, words: values.moment },
  closesAt: { label: texts.validUntil, words: values.moment },
  note: named(texts.note),
}

const club: Fields = {
  name: { label: texts.name, words: values.text },
  location: { label: texts.place, words: values.text },
  email: { label: texts.email, words: values.text },
  phone: { label: texts.phoneNumber, words: values.text },
  website: { label: texts.website, words: values.text },
  colour: { label: texts.colour, words: values.colour },
  listed: { label: texts.listed, words: values.onOrOff },
  currency: { label: texts.currency, words: values.code },
  timeZone: { label: texts.timeZone, words: values.text },
  keepDays: { label: texts.keepDays, words: values.daysKept },
  language: { label: texts.mainLanguage, words: values.language },
  languages: { label: texts.languages, words: values.languages },
  members: { label: texts.members, words: values.count },
  description: named(texts.description),
  descriptions: named(texts.translatedDescription),
  logo: named(texts.logo),
  cover: named(texts.cover),
}

const member: Fields = {
  teamRole: { label: texts.role, words: values.role },
  eventIds: { label: texts.worksAt, words: values.onlyEvents },
  fullName: named(texts.name),
  email: named(texts.email),
  language: named(texts.ownLanguage),
  image: named(texts.photo),
}

const registration: Fields = {
  status: { label: texts.status, words: values.registrationStatus },
  name: named(texts.name),
  email: named(texts.email),
  phone: named(texts.phoneNumber),
  others: named(texts.answers),
}

/** The fields of each subject that are shown, in their order. Whatever else was logged is not. */
const fieldsOf: Readonly<Record<HistoryRow['subject'], Fields>> = {
  event,
  form,
  extras: voucher,
  registration,
  checkin: {},
  club,
  user: member,
  page: {},
}

const logged = z.nullable(z.record(z.string(), z.unknown()))
const loggedFields = z.object({ fields: z.array(z.string()) })
const changedParts = z.array(z.object({ text: z.string(), before: logged, after: logged }))
const loggedQuestions = z.object({ changed: changedParts })
/** A part that was removed before. */
const partThatIsBack = z.object({ isBack: z.literal(true) })
const loggedTicketTypes = z.object({ ticketTypesChanged: changedParts })
const loggedCodes = z.object({ codesChanged: changedParts })

/** What changed, each with its words before and after. */
export function changesOf({ subject, before, after }: HistoryRow, context: values.Context): HistoryChange[] {
  const fields = fieldsOf[subject]
  const names = z.safeParse(loggedFields, after).data?.fields ?? []
  return [
    ...compared(fields, asLogged(before), asLogged(after), context),
    ...names.flatMap((name) => {
      const field = fields[name]
      return field ? [{ field: field.label(), before: null, after: null }] : []
    }),
    ...(subject === 'form' ? questionsChanged(after, context) : []),
    ...(subject === 'event' ? [...ticketTypesChanged(after, context), ...codesChanged(after, context)] : []),
  ]
}

type Logged = z.output<typeof logged>

const asLogged = (value: unknown): Logged => z.safeParse(logged, value).data ?? null

/** What is so common in something new that it says nothing. */
const usual: Readonly<Record<string, readonly unknown[]>> = { status: ['draft', 'confirmed'], ticketPrice: [0] }

/** Those of the fields that differ, or are on one side only. */
function compared(fields: Fields, before: Logged, after: Logged, context: values.Context): HistoryChange[] {
  return Object.entries(fields).flatMap(([name, { label, words }]): HistoryChange[] => {
    const [old, now] = [before?.[name], after?.[name]]
    const isNew = old === undefined || now === undefined
    if (isDeepStrictEqual(old, now)) return []
    // Of what is new or gone, the entry has the name already, and what is not limited or set says nothing.
    if (isNew && (name === 'name' || name === 'currency' || (old ?? now ?? null) === null)) return []
    if (old === undefined && usual[name]?.includes(now)) return []
    const inWords = (value: unknown, side: Logged) =>
      value === undefined ? null : words(value, { ...context, currency: currencyOf(side) ?? context.currency })
    const change = { field: label(), before: inWords(old, before), after: inWords(now, after) }
    return change.before === null && change.after === null ? [] : [change]
  })
}

const withCurrency = z.object({ currency: z.string() })

/** The currency that was logged with an amount. */
export function currencyOf(side: unknown): string | undefined {
  return z.safeParse(withCurrency, side).data?.currency
}

function questionsChanged(after: unknown, context: values.Context): HistoryChange[] {
  const { changed = [] } = z.safeParse(loggedQuestions, after).data ?? {}
  const words = { added: texts.questionAdded, removed: texts.questionRemoved }
  return partsChanged(changed, { ...words, fields: question }, context)
}

function ticketTypesChanged(after: unknown, context: values.Context): HistoryChange[] {
  const { ticketTypesChanged: changed = [] } = z.safeParse(loggedTicketTypes, after).data ?? {}
  const words = { added: texts.ticketTypeAdded, back: texts.ticketTypeBack, removed: texts.ticketTypeRemoved }
  return partsChanged(changed, { ...words, fields: ticketType }, context)
}

function codesChanged(after: unknown, context: values.Context): HistoryChange[] {
  const { codesChanged: changed = [] } = z.safeParse(loggedCodes, after).data ?? {}
  return partsChanged(changed, { added: texts.codeAdded, removed: texts.codeRemoved, fields: code }, context)
}

interface Part {
  added: Message
  /** Where one that was removed can come back. */
  back?: Message
  removed: Message
  fields: Fields
}

/** What changed in the parts of a whole, such as the questions of a form. */
function partsChanged(
  changed: z.output<typeof changedParts>,
  { added, back = added, removed, fields }: Part,
  context: values.Context,
): HistoryChange[] {
  return changed.flatMap((each): HistoryChange[] => {
    const name = values.text(each.text, context)
    if (each.before === null) {
      const isBack = z.safeParse(partThatIsBack, each.after).success
      return [{ field: isBack ? back() : added(), before: null, after: name }]
    }
    if (each.after === null) return [{ field: removed(), before: name, after: null }]
    const named = z.safeParse(loggedFields, each.after).data?.fields ?? []
    return [
      ...compared(fields, each.before, each.after, context),
      ...named.flatMap((key) => {
        const field = fields[key]
        return field ? [{ field: field.label(), before: null, after: null }] : []
      }),
    ].map(({ field, ...change }) => ({ field: texts.ofQuestion({ field, question: name ?? '' }), ...change }))
  })
}
