import { directionOf } from '../../texts/direction.ts'
import { currentLanguage } from '../../texts/language.ts'
import { escapeHtml } from '../escape-html.ts'
import { type MailColours, mailColours } from './mail-colours.ts'
import type { MailFrame, MailPart } from './mail-parts.ts'
import { contactHtml, FONT, isolated, partHtml, TABLE } from './part-html.ts'

interface Page {
  subject: string
  preview: string
  parts: readonly MailPart[]
  frame: MailFrame
  /** The sender and how to reach them, a line each. */
  contact: readonly string[]
}

/** In tables and with styles on each piece, because that is what mail programs understand. */
export function htmlPage({ subject, preview, parts, frame, contact }: Page): string {
  const colours = mailColours(frame.colour ?? '')
  const language = currentLanguage()
  return `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8">${METAS}<title>${escapeHtml(subject)}</title><style>${sheet(colours)}</style></head>
<body class="ground" style="margin:0;background:#f6f6fc">${previewHtml(preview)}${TABLE} width="100%"><tr><td align="center" style="padding:24px 12px">
${TABLE} width="560" class="card" style="width:100%;max-width:560px;table-layout:fixed;${BREAKING};background:#ffffff;color:#1f1f33;border-radius:12px;overflow:hidden"><tr><td class="band" style="${FONT};padding:18px 6%;background:${colours.band};color:#ffffff;font-weight:600">${senderHtml(frame)}</td></tr><tr><td class="card" style="${FONT};padding:28px 6% 16px">
${parts.map((part) => partHtml(part, colours)).join('\n')}
</td></tr><tr><td class="card quiet" style="${FONT};font-size:13px;padding:0 6% 28px;color:#5a5a72">${contact.map((line, at) => (at === 0 ? isolated(line) : contactHtml(line))).join('<br>')}</td></tr></table></td></tr></table></body></html>`
}

/** Without the last two, Apple's programs enlarge narrow columns, and turn dates and places into links of their own. */
const METAS =
  '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><meta name="x-apple-disable-message-reformatting"><meta name="format-detection" content="telephone=no,date=no,address=no,email=no">'

/** A word or an address that is wider than the page is broken; programs know one or the other. */
const BREAKING = 'word-break:break-word;overflow-wrap:anywhere'

/** Without these, inboxes would fill the rest of the preview with the first words of the page. */
const FILLER = '&#847;&zwnj;&nbsp;'.repeat(80)

/** What an inbox shows beside the subject. The mail itself does not show it. */
function previewHtml(preview: string): string {
  if (preview === '') return ''
  return `<div style="display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden;mso-hide:all">${escapeHtml(preview)}${FILLER}</div>`
}

/** The sender beside their logo. That is on white, because most logos are made for it. */
function senderHtml({ sender, picture }: MailFrame): string {
  const name = isolated(sender)
  if (picture === undefined) return name
  const logo = `<img src="cid:${escapeHtml(picture)}" alt="" height="40" style="display:block;width:auto;height:auto;max-width:96px;max-height:40px;border-radius:8px;background:#ffffff">`
  return `${TABLE}><tr><td style="padding-right:12px">${logo}</td><td style="${FONT};color:#ffffff;font-weight:600">${name}</td></tr></table>`
}

/** For programs that follow the device's dark mode; the others show the light one. */
function sheet({ dark }: MailColours): string {
  const rules = [
    '.ground{background:#14141f!important}',
    '.card{background:#20202f!important;color:#f2f2fa!important}',
    '.quiet{color:#b9b9cf!important}',
    `.link{color:${dark.link}!important}`,
    `.band,.button{background:${dark.band}!important}`,
    `.facts{border-color:${dark.link}!important}`,
    '.frame{border-color:#44445c!important;color:inherit!important}.frame td{color:inherit!important}',
  ]
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}@media (prefers-color-scheme:dark){${rules.join('')}}`
}
