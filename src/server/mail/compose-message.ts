import { buffer } from 'node:stream/consumers'
import { createTransport } from 'nodemailer'
import type { Mail } from './mailer.ts'

const composer = createTransport({
  streamTransport: true,
  buffer: true,
  newline: 'windows',
  disableFileAccess: true,
  disableUrlAccess: true,
})

/** The address alone of `Name <address>`. */
function addressOf(sender: string): string {
  return /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender
}

/** A mail as it is handed over: from whom to whom (RFC 5321), and its text. */
export interface Composed {
  envelope: { from: string | false; to: string[] }
  raw: Buffer
}

/** Composes a mail (RFC 5322) as a whole. Streamed while it is composed, it would be sent in hundreds of small packets. */
export async function composeMessage(sender: string, { replyTo, fromName, ...mail }: Mail): Promise<Composed> {
  const from = fromName === undefined ? sender : { name: fromName, address: addressOf(sender) }
  const { envelope, message } = await composer.sendMail({
    from,
    ...mail,
    ...(replyTo !== null && { replyTo }),
    // So that a note of absence does not answer it (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  return { envelope, raw: Buffer.isBuffer(message) ? message : await buffer(message) }
}
