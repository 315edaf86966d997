import type { ReceiptTable } from '../../contract/receipts.ts'

/** A piece of a mail, as text and as HTML alike. All of it is plain text; the layout escapes it. */
export type MailPart =
  | { greeting: string }
  /** A paragraph; as HTML, the `address` in it (a mail address, a number, a website) is a link and stays in one piece. */
  | { text: string; address?: string }
  /** The head of the mail: the event's name, and as `badge` a word about what changed; red if `isBad`. */
  | { title: string; badge?: string; isBad?: boolean }
  /** Facts, one per line, the first in bold; struck through if they no longer apply. The links follow, a line each. */
  | { lines: readonly string[]; isOver?: boolean; links?: readonly Link[] }
  | { button: string; url: string }
  | { link: string; url: string }
  | CodeBlock
  /** What was paid: as HTML a table, as text a line each. */
  | { receipt: ReceiptTable; texts: readonly string[] }

export interface Link {
  words: string
  url: string
}

/** A code in a frame of its own: its picture among the attachments, and the code for typing, which is never broken across lines. */
export interface CodeBlock {
  code: string
  title?: string
  note: string
  /** `size` pixels wide; a reader without pictures gets the words. */
  picture: { cid: string; alt: string; size: number }
  /** Below the code: a button, or a link where the mail has another button. */
  button?: Link
  link?: Link
}

/** Who sends the mail, for its first line and its last. */
export interface MailFrame {
  /** The club, or the product for mails about an account. */
  sender: string
  /** The club's colour as `#rrggbb`; empty or left out for the product's. */
  colour?: string
  /** The `cid` of the sender's picture among the attachments. */
  picture?: string
  /** How to reach the sender, a line each. */
  contact?: readonly string[]
}
