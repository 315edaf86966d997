/** Says a text of the club in another language; as it is where nobody has translated it. */
export type Say = (text: string) => string

/** Translates by these texts. A text without a translation stays as it is, or becomes `fallback` where that is given. */
export function sayIn(texts: readonly { of: string; text: string }[] | undefined, fallback?: string): Say {
  const translated = new Map(texts?.map(({ of, text }) => [of, text]))
  return (text) => translated.get(text) ?? fallback ?? text
}

interface Voucher {
  name: string
  description?: string
  content: readonly { name: string }[]
}

/** A voucher on sale or bought, with its words in another language. */
export function voucherIn<V extends Voucher>(voucher: V, say: Say): V {
  return {
    ...voucher,
    name: say(voucher.name),
    ...(voucher.description !== undefined && { description: say(voucher.description) }),
    content: voucher.content.map((item) => ({ ...item, name: say(item.name) })),
  }
}

interface Line {
  kind: 'ticket' | 'voucher'
  name: string
}

/** The name of a ticket's line where the event has one kind of tickets only; shown in the language of the reader. */
export const TICKET = 'Ticket'

/** Whether a line is that of a ticket without a name of its own. */
export const isUnnamed = ({ kind, name }: Line) => kind === 'ticket' && name === TICKET

/** The lines of a receipt, with the names of ticket types and vouchers in another language. */
export function linesIn<L extends Line>(lines: readonly L[], say: Say): L[] {
  return lines.map((line) => (isUnnamed(line) ? line : { ...line, name: say(line.name) }))
}

interface Answered {
  question: string
  answer: string | string[]
}

/** An answer with its question in another language. What somebody wrote themselves is in no dictionary. */
export function answerIn<A extends Answered>(answered: A, say: Say): A {
  const { question, answer } = answered
  return { ...answered, question: say(question), answer: Array.isArray(answer) ? answer.map(say) : say(answer) }
}
