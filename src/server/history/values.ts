import * as z from 'zod/mini'
import { codeEffect as effectInWords } from '../../contract/code-effect.ts'
import { codeKind } from '../../contract/codes.ts'
import { teamRoles } from '../../contract/permissions.ts'
import { phoneField } from '../../contract/phone-field.ts'
import { teamRoleNames } from '../../contract/team-role-names.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/historyWords.ts'
import * as typeTexts from '../../texts/generated/questionTypes.ts'
import { isLanguage, type Message } from '../../texts/language.ts'
import { formatNumber, nameOfLanguage } from '../../texts/numbers.ts'

/** What a value is read with. */
export interface Context {
  currency: string
  timeZone: string
  eventNames: ReadonlyMap<number, string>
}

/** A logged value in words; null where it is not what this version logs. */
export type InWords = (value: unknown, context: Context) => string | null

/** So that one long answer does not fill the page. */
const LONGEST = 300

function clip(text: string): string {
  const characters = [...text]
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : text
}

/** Reads a value as this schema has it. */
function reader<T>(schema: z.ZodMiniType<T>, inWords: (value: T, context: Context) => string): InWords {
  return (value, context) => {
    const { success, data } = z.safeParse(schema, value)
    return success ? inWords(data, context) : null
  }
}

/** One of several states. */
const choice = (messages: Readonly<Record<string, Message>>): InWords =>
  reader(z.string(), (value) => messages[value]?.() ?? texts.other())

export const text = reader(z.string(), (value) => (value === '' ? texts.empty() : clip(value)))
export const code = reader(z.string(), (value) => value.toUpperCase())
export const onOrOff = reader(z.boolean(), (value) => (value ? texts.yes() : texts.no()))
export const count = reader(z.number(), formatNumber)
export const limit = reader(z.nullable(z.number()), (value) => (value === null ? texts.noLimit() : formatNumber(value)))
export const price = reader(z.number(), (value, { currency }) => formatPrice(value, currency))
export const list = reader(z.array(z.string()), (values) =>
  values.length === 0 ? texts.empty() : clip(values.join(', ')),
)

/** The ticket types that a question is asked for. */
export const tickets = reader(z.array(z.string()), (names) =>
  names.length === 0 ? texts.everyTicket() : clip(names.join(', ')),
)

export const moment = reader(z.nullable(z.iso.datetime()), (value, { timeZone }) => {
  if (value === null) return texts.notSet()
  const at = new Date(value)
  return `${formatDate(at, timeZone)} ${formatTime(at, timeZone)}`
})

export const colour = reader(z.string(), (value) => (value === '' ? texts.usual() : value))

const nameOf = (language: string) => (isLanguage(language) ? nameOfLanguage(language) : language)
export const language = reader(z.string(), nameOf)
export const languages = reader(z.array(z.string()), (values) => values.map(nameOf).join(', '))

/** What a voucher is good for: `2 × Drink`. */
export const content = reader(z.array(z.object({ name: z.string(), quantity: z.number() })), (items) =>
  items.length === 0 ? texts.empty() : items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', '),
)

export const ticketAccess = choice({ public: texts.everybody, code: texts.withCode, member: texts.onlyMembers })

/** What a code does to prices. */
export const codeEffect = reader(
  z.object({ kind: codeKind, value: z.number(), currency: z.string() }),
  ({ currency, ...effect }) => effectInWords(effect, currency),
)

export const eventStatus = choice({
  draft: texts.statusDraft,
  published: texts.statusPublished,
  cancelled: texts.statusCalledOff,
})

export const registrationStatus = choice({
  pending: texts.statusUnpaid,
  confirmed: texts.statusConfirmed,
  cancelled: texts.statusCancelled,
})

const phoneFields: Readonly<Record<z.output<typeof phoneField>, Message>> = {
  required: texts.phoneRequired,
  optional: texts.phoneOptional,
  off: texts.phoneOff,
}
export const phoneChoice = reader(phoneField, (value) => phoneFields[value]())

/** After how many days personal data are deleted. */
export const daysKept = reader(z.nullable(z.int()), (days) =>
  days === null ? texts.asTheClub() : days === 0 ? texts.keptForGood() : texts.daysAfter({ count: days }),
)

export const role = reader(z.enum(teamRoles), (value) => teamRoleNames[value]())

/** The only events that somebody works on. */
export const onlyEvents = reader(z.nullable(z.array(z.number())), (ids, { eventNames }) =>
  ids === null ? texts.allEvents() : clip(ids.map((id) => eventNames.get(id) ?? texts.removedEvent()).join(', ')),
)

const types = [
  typeTexts.shortAnswer,
  typeTexts.paragraph,
  typeTexts.multipleChoice,
  typeTexts.checkboxes,
  typeTexts.dropdown,
]
export const questionType = reader(z.number(), (value) => types[value]?.() ?? texts.other())
