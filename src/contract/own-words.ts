import type { OrderLine } from './receipts.ts'

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

/** The lines of a receipt, with the names of ticket types and vouchers in another language. */
export function linesIn(lines: readonly OrderLine[], say: Say): OrderLine[] {
  return lines.map((line) => ({ ...line, name: say(line.name) }))
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
