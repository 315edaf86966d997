import { escapeHtml } from '../escape-html.ts'

/** A piece of a mail, as text and as HTML alike. All of it is plain text; the layout escapes it. */
export type MailPart =
  /** The code stands behind the text, and is never broken across lines. */
  | { text: string; isStrong?: boolean; code?: string }
  /** The head of the mail: what it is about. */
  | { title: string }
  | { lines: readonly string[] }
  | { button: string; url: string }
  | { link: string; url: string }
  /** A picture among the attachments, `size` pixels wide; a reader without pictures gets its words. */
  | { picture: string; alt: string; size: number }

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
  const texts = [...parts.map(asText), `-- \n${end.join('\n')}`].filter((text) => text !== '')
  return { subject, text: texts.join('\n\n'), html: page(subject, parts.map(asHtml), { ...frame, contact: end }) }
}

function asText(part: MailPart): string {
  if ('lines' in part) return part.lines.join('\n')
  if ('title' in part) return part.title
  if ('button' in part) return `${part.button}: ${part.url}`
  if ('link' in part) return `${part.link}: ${part.url}`
  if ('picture' in part) return ''
  return part.code === undefined ? part.text : `${part.text} ${part.code}`
}

const buttonStyle =
  'display:inline-block;padding:14px 28px;border-radius:10px;background:#6464d3;color:#ffffff;text-decoration:none;font-weight:600'
const titleStyle = 'margin:0 0 16px;font-size:26px;line-height:1.25;font-weight:600'
const factsStyle = 'margin:16px 0;padding:4px 0 4px 16px;border-left:4px solid #6464d3'

function asHtml(part: MailPart): string {
  if ('lines' in part) return `<p style="${factsStyle}">${part.lines.map(escapeHtml).join('<br>')}</p>`
  if ('title' in part) return `<h1 style="${titleStyle}">${escapeHtml(part.title)}</h1>`
  if ('button' in part)
    return `<p style="margin:24px 0"><a href="${escapeHtml(part.url)}" style="${buttonStyle}">${escapeHtml(part.button)}</a></p>`
  if ('link' in part)
    return `<p><a class="link" href="${escapeHtml(part.url)}" style="color:#4000b8">${escapeHtml(part.link)}</a></p>`
  if ('picture' in part)
    return `<p><img src="cid:${escapeHtml(part.picture)}" alt="${escapeHtml(part.alt)}" width="${part.size}" style="display:block;max-width:100%;border-radius:8px;background:#ffffff"></p>`
  const code = part.code === undefined ? '' : ` <span style="white-space:nowrap">${escapeHtml(part.code)}</span>`
  const text = escapeHtml(part.text) + code
  return `<p>${part.isStrong ? `<strong>${text}</strong>` : text}</p>`
}

/** For programs that follow the device's dark mode; the others show the light one. */
const DARK = `@media (prefers-color-scheme:dark){.ground{background:#14141f!important}.card{background:#20202f!important;color:#f2f2fa!important}.quiet{color:#b9b9cf!important}.link{color:#c7d7ff!important}}`

/** In tables and with styles on each piece, because that is what mail programs understand. */
function page(title: string, parts: string[], { sender, picture, contact = [] }: MailFrame): string {
  const font = 'font-family:Poppins,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;color:#1f1f33'
  const table = '<table role="presentation" cellpadding="0" cellspacing="0"'
  const logo =
    picture === undefined
      ? ''
      : `<img src="cid:${escapeHtml(picture)}" alt="" height="40" style="display:inline-block;vertical-align:middle;max-height:40px;max-width:96px;margin-right:12px">`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)}</title><style>${DARK}</style></head>
<body class="ground" style="margin:0;background:#f6f6fc">${table} width="100%"><tr><td align="center" style="padding:24px 12px">
${table} width="560" class="card" style="width:100%;max-width:560px;background:#ffffff;color:#1f1f33;border-radius:12px;overflow:hidden"><tr><td style="${font};padding:18px 32px;background:#6464d3;color:#ffffff;font-weight:600">${logo}${escapeHtml(sender)}</td></tr><tr><td class="card" style="${font};padding:28px 32px 16px">
${parts.join('\n')}
</td></tr><tr><td class="card quiet" style="${font};font-size:13px;padding:0 32px 28px;color:#5a5a72">${contact.map(escapeHtml).join('<br>')}</td></tr></table></td></tr></table></body></html>`
}
