import type { FieldError } from '../../contract/errors.ts'

/** Names that people know a field by, where its own name is not clear. */
const names: Readonly<Record<string, string>> = {
  email: 'E-mail',
  fullName: 'Name',
  clubName: 'Name of the club',
  startsAt: 'Start',
  endsAt: 'End',
  maxAttendees: 'Places',
  maxPerEmail: 'Places for one e-mail address',
  maxQuantity: 'How many',
  ticketPrice: 'Price',
  registrationOpensAt: 'Registration opens',
  registrationClosesAt: 'Registration closes',
  correctionsUntil: 'Corrections until',
  phoneField: 'Phone number',
  qrCodeData: 'Code',
  typeId: 'Type',
  formQuestions: 'Questions',
  others: 'Answers',
}

/** The error of a field, with its name in front: `E-mail: Enter an e-mail address.` Not twice, when the sentence begins with it. */
export function fieldInWords({ path, msg }: FieldError): string {
  const key = path.split('.').findLast((part) => !/^\d*$/.test(part)) ?? ''
  const name = names[key] ?? inWords(key)
  return name === '' || msg.toLowerCase().startsWith(name.toLowerCase()) ? msg : `${name}: ${msg}`
}

/** `clubId` as `Club id`. */
function inWords(key: string): string {
  const words = key.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
