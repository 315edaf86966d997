import { escapeHtml } from '../escape-html.ts'

/** A piece of a mail, as text and as HTML alike. All of it is plain text; the layout escapes it. */
export type MailPart =
  | { text: string; isStrong?: boolean }
  | { lines: readonly string[] }
  | { button: string; url: string }
  | { link: string; url: string }
  /** A picture among the attachments, `size` pixels wide; a reader without pictures gets its words. */
  | { picture: string; alt: string; size: number }

/** A mail's words in both forms, from the same parts. */
export function mailPage(subject: string, parts: readonly MailPart[]): { subject: string; text: string; html: string } {
  const texts = parts.map(asText).filter((text) => text !== '')
  return { subject, text: texts.join('\n\n'), html: page(subject, parts.map(asHtml)) }
}

function asText(part: MailPart): string {
  if ('lines' in part) return part.lines.join('\n')
  if ('button' in part) return `${part.button}: ${part.url}`
  if ('link' in part) return `${part.link}: ${part.url}`
  return 'picture' in part ? '' : part.text
}

const buttonStyle =
  'display:inline-block;padding:12px 24px;border-radius:8px;background:#6464d3;color:#fff;text-decoration:none;font-weight:600'

function asHtml(part: MailPart): string {
  if ('lines' in part) return `<p>${part.lines.map(escapeHtml).join('<br>')}</p>`
  if ('button' in part)
    return `<p><a href="${escapeHtml(part.url)}" style="${buttonStyle}">${escapeHtml(part.button)}</a></p>`
  if ('link' in part)
    return `<p><a href="${escapeHtml(part.url)}" style="color:#4000b8">${escapeHtml(part.link)}</a></p>`
  if ('picture' in part)
    return `<p><img src="cid:${escapeHtml(part.picture)}" alt="${escapeHtml(part.alt)}" width="${part.size}" style="display:block;max-width:100%"></p>`
  const text = escapeHtml(part.text)
  return `<p>${part.isStrong ? `<strong>${text}</strong>` : text}</p>`
}

/** In tables and with styles on each piece, because that is what mail programs understand. */
function page(title: string, parts: string[]): string {
  const font = 'font-family:Poppins,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;color:#1f1f33'
  const table = '<table role="presentation" cellpadding="0" cellspacing="0"'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;background:#f6f6fc">${table} width="100%"><tr><td align="center" style="padding:24px 12px">
${table} width="560" style="width:100%;max-width:560px;background:#fff;border-top:8px solid #6464d3"><tr><td style="${font};padding:16px 32px 24px">
${parts.join('\n')}
</td></tr></table></td></tr></table></body></html>`
}
