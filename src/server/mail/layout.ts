import * as texts from '../../texts/generated/mails.ts'
import { htmlPage } from './html-page.ts'
import type { Link, MailFrame, MailPart } from './mail-parts.ts'

/**
 * A mail's words in both forms, from the same parts; the subject is its head where no part is. `preview` is what inboxes show beside the
 * subject; left out, it is the first paragraph.
 */
export function mailPage(
  subject: string,
  parts: readonly MailPart[],
  frame: MailFrame,
  preview: string = firstParagraph(parts),
): { subject: string; text: string; html: string } {
  const contact = [frame.sender, ...(frame.contact ?? []).filter((line) => line !== '')]
  const all = parts.some((part) => 'title' in part) ? parts : [{ title: subject }, ...parts]
  const blocks = [...all.map(asText), `-- \n${contact.join('\n')}`].filter((text) => text !== '')
  return { subject, text: blocks.join('\n\n'), html: htmlPage({ subject, preview, parts: all, frame, contact }) }
}

/** The product as the sender of mails about accounts and to clubs, with the address where it runs. */
export function productFrame({ baseUrl }: { baseUrl: string }): MailFrame {
  return { sender: 'Turnout', contact: [baseUrl] }
}

function firstParagraph(parts: readonly MailPart[]): string {
  for (const part of parts) if ('text' in part) return part.text
  return ''
}

function asText(part: MailPart): string {
  if ('lines' in part) return [...part.lines, ...(part.links ?? []).map(linkText)].join('\n')
  if ('code' in part) {
    const link = part.button ?? part.link
    const lines = [part.title, part.note, texts.forTyping({ code: part.code }), link && linkText(link)]
    return lines.filter((line) => line !== undefined).join('\n')
  }
  if ('receipt' in part) return part.texts.join('\n')
  if ('title' in part)
    return part.badge === undefined ? part.title : texts.badgeTitle({ badge: part.badge, title: part.title })
  if ('button' in part) return linkText({ words: part.button, url: part.url })
  if ('link' in part) return linkText({ words: part.link, url: part.url })
  return 'greeting' in part ? part.greeting : part.text
}

const linkText = ({ words, url }: Link) => texts.textLink({ words, url })
