import { formatSpan } from '../../contract/dates.ts'
import { shortCode, ticketUrl } from '../../contract/tickets.ts'
import { findClub } from '../clubs/queries.ts'
import type { Db, MailRow } from '../db/schema.ts'
import { findEvent } from '../events/queries.ts'
import type { Mail } from '../mail/mailer.ts'
import { findRegistration } from './queries.ts'

/** The mail with the way to the ticket; null when the registration is no longer confirmed. */
export async function ticketMail(db: Db, baseUrl: string, row: MailRow): Promise<Mail | null> {
  const registration = await findRegistration(db, row.registrationId)
  if (registration?.status !== 'confirmed') return null
  const [event, club] = await Promise.all([findEvent(db, registration.eventId), findClub(db, registration.clubId)])
  if (!event || !club) return null

  const when = formatSpan(event.startsAt, event.endsAt, event.timeZone)
  const url = ticketUrl(baseUrl, registration)
  const code = shortCode(registration)
  const facts = [when, event.location, club.name].filter((fact) => fact !== '')
  return {
    messageId: `<${row.messageId}@${new URL(baseUrl).hostname}>`,
    to: registration.email,
    replyTo: club.email || null,
    subject: `Your ticket: ${event.name}`,
    text: [
      `Hello ${registration.name},`,
      `you are registered for ${event.name}.`,
      facts.join('\n'),
      `Your ticket: ${url}\nShow its QR code at the door. Code for typing: ${code}`,
    ].join('\n\n'),
    html: page(event.name, [
      `<p>Hello ${escapeHtml(registration.name)},</p>`,
      `<p>you are registered for <strong>${escapeHtml(event.name)}</strong>.</p>`,
      `<p>${facts.map(escapeHtml).join('<br>')}</p>`,
      `<p><a href="${escapeHtml(url)}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#6464d3;color:#fff;text-decoration:none;font-weight:600">Open your ticket</a></p>`,
      `<p>Show its QR code at the door. Code for typing: <strong>${escapeHtml(code)}</strong></p>`,
    ]),
  }
}

function page(title: string, parts: string[]): string {
  const style =
    'font-family:Poppins,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;color:#1f1f33;max-width:560px;margin:0 auto;padding:24px'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body style="${style}">${parts.join('')}</body></html>`
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? char)
}
