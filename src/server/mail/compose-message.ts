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

/** A mail as it travels (RFC 5322), whole: sent while it is composed, it would go out in hundreds of small packets. */
export async function composeMessage(from: string, { replyTo, ...mail }: Mail) {
  const { envelope, message } = await composer.sendMail({ from, ...mail, ...(replyTo !== null && { replyTo }) })
  return { envelope, raw: Buffer.isBuffer(message) ? message : await buffer(message) }
}
