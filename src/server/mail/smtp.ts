import { createTransport } from 'nodemailer'
import type { Mailer } from './mailer.ts'

/** Sends over SMTP with a few pooled connections. A server that stalls is given up after `patienceMs`. */
export function smtpMailer(smtpUrl: string, from: string, patienceMs = 30_000): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: patienceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ replyTo, ...mail }) => {
      await transport.sendMail({ from, ...mail, ...(replyTo !== null && { replyTo }) })
    },
    close: () => transport.close(),
  }
}
