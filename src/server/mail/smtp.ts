import { createTransport } from 'nodemailer'
import { composeMessage } from './compose-message.ts'
import type { Mailer } from './mailer.ts'

interface Options {
  /** After this long a server that stalls is given up. */
  patienceMs?: number
  compose?: typeof composeMessage
}

/** Sends over SMTP with a few pooled connections. */
export function smtpMailer(
  smtpUrl: string,
  from: string,
  { patienceMs = 30_000, compose = composeMessage }: Options = {},
): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 4,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: patienceMs,
  })
  return {
    send: async (mail) => {
      await transport.sendMail(await compose(from, mail))
    },
    close: () => transport.close(),
  }
}

/** A warning for the operator when mails will be refused because of their sender; null when all is well. */
export function senderWarning({ smtpUrl, mailFrom }: { smtpUrl: string | null; mailFrom: string }): string | null {
  if (smtpUrl === null || !/@localhost>?$/.test(mailFrom)) return null
  return 'MAIL_FROM is not set: mails go out as turnout@localhost, which most mail servers refuse. Set it to an address of yours.'
}
