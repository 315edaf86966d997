import type { ReceiptTable } from '../../contract/receipts.ts'
import { directionOf } from '../../texts/direction.ts'
import * as texts from '../../texts/generated/mails.ts'
import { currentLanguage } from '../../texts/language.ts'
import { escapeHtml } from '../escape-html.ts'

/** A piece of a mail, as text and as HTML alike. All of it is plain text; the layout escapes it. */
export type MailPart =
  | { text: string; isStrong?: boolean }
  /** The head of the mail: the event's name, and as `badge` a word about what changed; red if `isBad`. */
  | { title: string; badge?: string; isBad?: boolean }
  /** Facts, one per line, the first in bold; struck through if they no longer apply. */
  | { lines: readonly string[]; isOver?: boolean; link?: Link }
  | { button: string; url: string }
  | { link: string; url: string }
  | CodeBlock
  /** What was paid: as HTML a table, as text a line each. */
  | { receipt: ReceiptTable; texts: readonly string[] }

interface Link {
  words: string
  url: string
}

/** A code in a frame of its own: its picture among the attachments, and the code for typing, which is never broken across lines. */
interface CodeBlock {
  code: string
  title?: string
  note: string
  /** `size` pixels wide; a reader without pictures gets the words. */
  picture: { cid: string; alt: string; size: number }
  button?: Link
}

/** Who sends the mail, for its first line and its last. */
export interface MailFrame {
  /** The club, or the product for mails about an account. */
  sender: string
  /** The `cid` of the sender's picture among the attachments. */
  picture?: string
  /** How to reach the sender, a line each. */
  contact?: readonly string[]
}

/** A mail's words in both forms, from the same parts. */
export function mailPage(
  subject: string,
  parts: readonly MailPart[],
  frame: MailFrame = { sender: 'Turnout' },
): { subject: string; text: string; html: string } {
  const end = [frame.sender, ...(frame.contact ?? []).filter((line) => line !== '')]
  const blocks = [...parts.map(asText), `-- \n${end.join('\n')}`].filter((text) => text !== '')
  return { subject, text: blocks.join('\n\n'), html: page(subject, parts.map(asHtml), { ...frame, contact: end }) }
}

function asText(part: MailPart): string {
  if ('lines' in part) return [...part.lines, ...(part.link ? [linkText(part.link)] : [])].join('\n')
  if ('code' in part) {
    const lines = [part.title, part.note, texts.forTyping({ code: part.code }), part.button && linkText(part.button)]
    return lines.filter((line) => line !== undefined).join('\n')
  }
  if ('receipt' in part) return part.texts.join('\n')
  if ('title' in part)
    return part.badge === undefined ? part.title : texts.badgeTitle({ badge: part.badge, title: part.title })
  if ('button' in part) return linkText({ words: part.button, url: part.url })
  if ('link' in part) return linkText({ words: part.link, url: part.url })
  return part.text
}

const linkText = ({ words, url }: Link) => texts.textLink({ words, url })

const font = 'font-family:Poppins,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;color:#1f1f33'
const table = '<table role="presentation" cellpadding="0" cellspacing="0"'
const buttonStyle =
  'display:inline-block;padding:14px 28px;border-radius:10px;background:#6464d3;color:#ffffff;text-decoration:none;font-weight:600'
const titleStyle = 'margin:0 0 16px;font-size:26px;line-height:1.25;font-weight:600'
const factsStyle = 'margin:16px 0;padding:4px 0 4px 16px;border-left:4px solid #6464d3'
const badgeStyle = (isBad: boolean) =>
  `display:inline-block;padding:4px 14px;border-radius:999px;${isBad ? 'background:#fbdcdc;color:#8a1c1c' : 'background:#e6e2fa;color:#4000b8'};font-size:14px;font-weight:600`
const blockStyle = 'margin:20px 0;border:1px solid #dcdaec;border-radius:12px'
const codeStyle = 'font-size:20px;font-weight:600;letter-spacing:0.06em;white-space:nowrap'

function asHtml(part: MailPart): string {
  if ('lines' in part) return factsHtml(part)
  if ('code' in part) return codeHtml(part)
  if ('receipt' in part) return receiptHtml(part.receipt)
  if ('title' in part) {
    const badge =
      part.badge === undefined
        ? ''
        : `<p style="margin:0 0 12px"><span style="${badgeStyle(part.isBad === true)}">${escapeHtml(part.badge)}</span></p>`
    return `${badge}<h1 style="${titleStyle}">${escapeHtml(part.title)}</h1>`
  }
  if ('button' in part) return `<p style="margin:24px 0">${buttonHtml({ words: part.button, url: part.url })}</p>`
  if ('link' in part) return `<p>${linkHtml({ words: part.link, url: part.url })}</p>`
  const text = escapeHtml(part.text)
  return `<p>${part.isStrong ? `<strong>${text}</strong>` : text}</p>`
}

const linkHtml = ({ words, url }: Link) =>
  `<a class="link" href="${escapeHtml(url)}" style="color:#4000b8">${escapeHtml(words)}</a>`
const buttonHtml = ({ words, url }: Link) =>
  `<a href="${escapeHtml(url)}" style="${buttonStyle}">${escapeHtml(words)}</a>`

function factsHtml({ lines, isOver, link }: Extract<MailPart, { lines: readonly string[] }>): string {
  const [first = '', ...others] = lines.map(escapeHtml)
  const facts = [others.length === 0 ? first : `<strong>${first}</strong>`, ...others].join('<br>')
  const shown = isOver
    ? `<span class="quiet" style="color:#5a5a72;text-decoration:line-through">${facts}</span>`
    : facts
  return `<p style="${factsStyle}">${shown}${link ? `<br>${linkHtml(link)}` : ''}</p>`
}

function codeHtml({ code, title, note, picture, button }: CodeBlock): string {
  const { cid, alt, size } = picture
  const image = `<img src="cid:${escapeHtml(cid)}" alt="${escapeHtml(alt)}" width="${size}" style="display:block;margin:0 auto;max-width:100%;border-radius:8px;background:#ffffff">`
  return `${table} width="100%" class="frame" style="${blockStyle}"><tr><td align="center" style="${font};padding:20px 16px;text-align:center">
${title === undefined ? '' : `<p style="margin:0 0 12px;font-size:18px;font-weight:600">${escapeHtml(title)}</p>`}${image}
<p style="margin:12px 0 0;${codeStyle}">${escapeHtml(code)}</p><p style="margin:4px 0 0">${escapeHtml(note)}</p>
${button ? `<p style="margin:20px 0 0">${buttonHtml(button)}</p>` : ''}</td></tr></table>`
}

function receiptHtml({ rows, total }: ReceiptTable): string {
  const line = 'padding:8px 0;border-top:1px solid #dcdaec'
  const row = ([label, amount]: readonly [string, string], weight: number) =>
    `<tr><td class="frame" style="${font};${line};font-weight:${weight}">${escapeHtml(label)}</td><td class="frame" align="right" style="${font};${line};font-weight:${weight};white-space:nowrap">${escapeHtml(amount)}</td></tr>`
  return `${table} width="100%" style="margin:20px 0">${rows.map((each) => row(each, 400)).join('')}${row(total, 600)}</table>`
}

/** A line of the sender's contact below the name: addresses and numbers as links. */
function contactHtml(line: string): string {
  const target = /^https?:/.test(line) ? line : /^\S+@\S+$/.test(line) ? `mailto:${line}` : phoneLink(line)
  return target === null
    ? escapeHtml(line)
    : `<a class="quiet" href="${escapeHtml(target)}" style="color:#5a5a72">${escapeHtml(line)}</a>`
}

/** Only for a number as `toE164` writes it, with spaces: `(0)` and `/` in older ones are not dialled. */
const phoneLink = (line: string) => (/^\+[\d ]{7,}$/.test(line) ? `tel:${line.replaceAll(' ', '')}` : null)

/** For programs that follow the device's dark mode; the others show the light one. */
const DARK = `@media (prefers-color-scheme:dark){.ground{background:#14141f!important}.card{background:#20202f!important;color:#f2f2fa!important}.quiet{color:#b9b9cf!important}.link{color:#c7d7ff!important}.frame{border-color:#44445c!important;color:inherit!important}.frame td{color:inherit!important}}`

/** In tables and with styles on each piece, because that is what mail programs understand. */
function page(title: string, parts: string[], { sender, picture, contact = [] }: MailFrame): string {
  const logo =
    picture === undefined
      ? ''
      : `<img src="cid:${escapeHtml(picture)}" alt="" height="40" style="display:inline-block;vertical-align:middle;max-height:40px;max-width:96px;margin-right:12px">`
  return `<!doctype html><html lang="${currentLanguage()}" dir="${directionOf(currentLanguage())}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style>${DARK}</style></head>
<body class="ground" style="margin:0;background:#f6f6fc">${table} width="100%"><tr><td align="center" style="padding:24px 12px">
${table} width="560" class="card" style="width:100%;max-width:560px;background:#ffffff;color:#1f1f33;border-radius:12px;overflow:hidden"><tr><td style="${font};padding:18px 6%;background:#6464d3;color:#ffffff;font-weight:600">${logo}${escapeHtml(sender)}</td></tr><tr><td class="card" style="${font};padding:28px 6% 16px">
${parts.join('\n')}
</td></tr><tr><td class="card quiet" style="${font};font-size:13px;padding:0 6% 28px;color:#5a5a72">${contact.map((line, at) => (at === 0 ? escapeHtml(line) : contactHtml(line))).join('<br>')}</td></tr></table></td></tr></table></body></html>`
}
