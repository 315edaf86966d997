import { escapeHtml } from '../escape-html.ts'

/** A piece of a mail, as text and as HTML alike. All of it is plain text; the layout escapes it. */
export type MailPart =
  | { text: string; isStrong?: boolean }
  | { lines: readonly string[] }
  | { button: string; url: string }

/** A mail's words in both forms, from the same parts. */
export function mailPage(subject: string, parts: readonly MailPart[]): { subject: string; text: string; html: string } {
  return { subject, text: parts.map(asText).join('\n\n'), html: page(subject, parts.map(asHtml)) }
}

function asText(part: MailPart): string {
  if ('lines' in part) return part.lines.join('\n')
  return 'button' in part ? `${part.button}: ${part.url}` : part.text
}

const buttonStyle =
  'display:inline-block;padding:12px 24px;border-radius:8px;background:#6464d3;color:#fff;text-decoration:none;font-weight:600'

function asHtml(part: MailPart): string {
  if ('lines' in part) return `<p>${part.lines.map(escapeHtml).join('<br>')}</p>`
  if ('button' in part)
    return `<p><a href="${escapeHtml(part.url)}" style="${buttonStyle}">${escapeHtml(part.button)}</a></p>`
  const text = escapeHtml(part.text)
  return `<p>${part.isStrong ? `<strong>${text}</strong>` : text}</p>`
}

function page(title: string, parts: string[]): string {
  const style =
    'font-family:Poppins,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;color:#1f1f33;max-width:560px;margin:0 auto;padding:24px'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body style="${style}">${parts.join('')}</body></html>`
}
