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

/** Composes a mail (RFC 5322) as a whole. Streamed while it is composed, it would be sent in hundreds of small packets. */
export async function composeMessage(from: string, { replyTo, ...mail }: Mail) {
  const { envelope, message } = await composer.sendMail({ from, ...mail, ...(replyTo !== null && { replyTo }) })
  return { envelope, raw: Buffer.isBuffer(message) ? message : await buffer(message) }
}
