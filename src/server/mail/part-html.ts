import type { ReceiptTable } from '../../contract/receipts.ts'
import { escapeHtml } from '../escape-html.ts'
import type { MailColours } from './mail-colours.ts'
import type { CodeBlock, Link, MailPart } from './mail-parts.ts'

export const FONT = 'font-family:Poppins,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;color:#1f1f33'
export const TABLE = '<table role="presentation" cellpadding="0" cellspacing="0"'

const blockStyle = 'margin:20px 0;border:1px solid #dcdaec;border-radius:12px'
const codeStyle = 'font-size:20px;font-weight:600;letter-spacing:0.06em;white-space:nowrap'

/** A part of a mail as HTML. */
export function partHtml(part: MailPart, colours: MailColours): string {
  if ('lines' in part) return factsHtml(part, colours)
  if ('code' in part) return codeHtml(part, colours)
  if ('receipt' in part) return receiptHtml(part.receipt)
  if ('title' in part) return titleHtml(part, colours)
  if ('button' in part)
    return `<p style="margin:24px 0">${buttonHtml({ words: part.button, url: part.url }, colours)}</p>`
  if ('link' in part) return `<p>${linkHtml({ words: part.link, url: part.url }, colours)}</p>`
  return `<p>${'greeting' in part ? escapeHtml(part.greeting) : textHtml(part, colours)}</p>`
}

/** Text with a place of its own, such as a name: one in Arabic or Hebrew is ordered by itself, wherever the line around it begins. */
export function isolated(text: string): string {
  const escaped = escapeHtml(text)
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text)
    ? `<span dir="auto">${escaped}</span>`
    : escaped
}

function titleHtml(
  { title, badge, isBad }: Extract<MailPart, { title: string; isBad?: boolean }>,
  colours: MailColours,
) {
  const look = isBad ? 'background:#fbdcdc;color:#8a1c1c' : `background:${colours.badge};color:${colours.badgeInk}`
  const above =
    badge === undefined
      ? ''
      : `<p style="margin:0 0 12px"><span style="display:inline-block;padding:4px 14px;border-radius:999px;${look};font-size:14px;font-weight:600">${escapeHtml(badge)}</span></p>`
  const size = title.length > 60 ? 22 : 26
  return `${above}<h1 style="margin:0 0 16px;font-size:${size}px;line-height:1.25;font-weight:600">${isolated(title)}</h1>`
}

function textHtml({ text, address }: Extract<MailPart, { text: string }>, { link }: MailColours): string {
  if (address === undefined || !text.includes(address)) return escapeHtml(text)
  // In one piece where it fits on a line of the narrowest phone.
  const whole = address.length > 28 ? 'display:inline-block' : 'white-space:nowrap'
  const shown = contactHtml(address, `color:${link};${whole}`, 'link')
  return text.split(address).map(escapeHtml).join(shown)
}

const linkHtml = ({ words, url }: Link, { link }: MailColours) =>
  `<a class="link" href="${escapeHtml(url)}" style="color:${link}">${escapeHtml(words)}</a>`
const buttonHtml = ({ words, url }: Link, { band }: MailColours) =>
  `<a class="button" href="${escapeHtml(url)}" style="display:inline-block;padding:14px 28px;border-radius:10px;background:${band};color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(words)}</a>`

function factsHtml(
  { lines, isOver, links = [] }: Extract<MailPart, { lines: readonly string[] }>,
  colours: MailColours,
): string {
  const [first = '', ...others] = lines.map(isolated)
  const facts = [others.length === 0 ? first : `<strong>${first}</strong>`, ...others].join('<br>')
  const shown = isOver
    ? `<span class="quiet" style="color:#5a5a72;text-decoration:line-through">${facts}</span>`
    : facts
  const below = links.map((link) => `<br>${linkHtml(link, colours)}`).join('')
  return `<p class="facts" style="margin:16px 0;padding:4px 0 4px 16px;border-left:4px solid ${colours.band}">${shown}${below}</p>`
}

function codeHtml({ code, title, note, picture, button, link }: CodeBlock, colours: MailColours): string {
  const { cid, alt, size } = picture
  // The words instead of the picture are dark in both schemes, as they stand on white.
  const image = `<img src="cid:${escapeHtml(cid)}" alt="${escapeHtml(alt)}" width="${size}" style="display:block;margin:0 auto;max-width:100%;height:auto;border-radius:8px;background:#ffffff;color:#1f1f33">`
  return `${TABLE} width="100%" class="frame" style="${blockStyle}"><tr><td align="center" style="${FONT};padding:20px 16px;text-align:center">
${title === undefined ? '' : `<p style="margin:0 0 12px;font-size:18px;font-weight:600">${isolated(title)}</p>`}${image}
<p style="margin:12px 0 0;${codeStyle}">${escapeHtml(code)}</p><p style="margin:4px 0 0">${isolated(note)}</p>
${button ? `<p style="margin:20px 0 0">${buttonHtml(button, colours)}</p>` : ''}${link ? `<p style="margin:8px 0 0">${linkHtml(link, colours)}</p>` : ''}</td></tr></table>`
}

function receiptHtml({ rows, total }: ReceiptTable): string {
  const line = 'padding:8px 0;border-top:1px solid #dcdaec'
  const row = ([label, amount]: readonly [string, string], weight: number) =>
    `<tr><td class="frame" style="${FONT};${line};font-weight:${weight}">${isolated(label)}</td><td class="frame" align="right" style="${FONT};${line};padding-left:16px;font-weight:${weight};white-space:nowrap">${escapeHtml(amount)}</td></tr>`
  return `${TABLE} width="100%" style="margin:20px 0">${rows.map((each) => row(each, 400)).join('')}${row(total, 600)}</table>`
}

/** A way to reach somebody: mail addresses, numbers and websites are links. */
export function contactHtml(line: string, style = 'color:#5a5a72', name = 'quiet'): string {
  const target = /^https?:/.test(line) ? line : /^\S+@\S+$/.test(line) ? `mailto:${line}` : phoneLink(line)
  return target === null
    ? isolated(line)
    : `<a class="${name}" href="${escapeHtml(target)}" style="${style}">${escapeHtml(line)}</a>`
}

/** Only for a number as `toE164` writes it, with spaces: `(0)` and `/` in older ones are not dialled. */
const phoneLink = (line: string) => (/^\+[\d ]{7,}$/.test(line) ? `tel:${line.replaceAll(' ', '')}` : null)
