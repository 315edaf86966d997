import type { FieldError } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/fieldNames.ts'
import type { Message } from '../../texts/language.ts'

/** Names that people know a field by, where its own name is not clear. */
const names: Readonly<Record<string, Message>> = {
  email: texts.eMail,
  fullName: texts.name,
  clubName: texts.nameOfTheClub,
  startsAt: texts.start,
  endsAt: texts.end,
  maxAttendees: texts.places,
  maxPerEmail: texts.placesByEmail,
  maxQuantity: texts.howMany,
  minPerOrder: texts.leastPerOrder,
  maxPerOrder: texts.mostPerOrder,
  ticketPrice: texts.price,
  ticketTypeId: texts.ticket,
  saleOpensAt: texts.saleOpens,
  saleClosesAt: texts.saleCloses,
  registrationOpensAt: texts.registrationOpens,
  registrationClosesAt: texts.registrationCloses,
  correctionsUntil: texts.correctionsUntil,
  allowsHandOn: texts.allowsHandOn,
  allowsReentry: texts.allowsReentry,
  phoneField: texts.phoneNumber,
  keepDays: texts.keepDays,
  qrCodeData: texts.code,
  ticketTypeIds: texts.tickets,
  maxUses: texts.howManyPeople,
  opensAt: texts.validFrom,
  closesAt: texts.validUntil,
  memberId: texts.member,
  typeId: texts.type,
  formQuestions: texts.questions,
  others: texts.answers,
}

/** The error of a field, with its name in front: `E-mail: Enter an e-mail address.` Not twice, when the sentence begins with it. */
export function fieldInWords({ path, msg }: FieldError): string {
  const key = path.split('.').findLast((part) => !/^\d*$/.test(part)) ?? ''
  const name = names[key]?.() ?? inWords(key)
  const problem = msg()
  return name === '' || problem.toLowerCase().startsWith(name.toLowerCase())
    ? problem
    : texts.aboutField({ field: name, problem })
}

/** `clubId` as `Club id`. */
function inWords(key: string): string {
  const words = key.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
