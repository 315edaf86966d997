import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

interface Taken {
  envelope: { from: string; to: string[] }
  parsed: Email
}

/** What the server does with a mail: take it, refuse it for now (451) or for good (550), drop the line after the text came, or never answer. */
type Behaviour = 'take' | 'busy' | 'refuse' | 'drop' | 'stall'

export interface MailServer {
  url: string
  taken: Taken[]
  /** Mails whose text came but was never acknowledged. */
  dropped: Taken[]
  behave: (behaviour: Behaviour) => void
  /** Runs when a mail has been taken, before its sender is told so. */
  onTaken: (run: () => Promise<void>) => void
  stop: () => Promise<void>
}

/** A real SMTP server on a port of its own. */
export async function startMailServer(): Promise<MailServer> {
  const taken: Taken[] = []
  const dropped: Taken[] = []
  let behaviour: Behaviour = 'take'
  let whenTaken = async () => {}
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData: async (stream, session, callback) => {
      // A sender that was killed half-way is answered nothing.
      const content = await buffer(stream).catch(() => null)
      if (!content) return
      const { mailFrom, rcptTo } = session.envelope
      const mail = {
        envelope: { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) },
        parsed: await PostalMime.parse(content),
      }
      if (behaviour === 'busy') return callback(Object.assign(new Error('Busy, try later'), { responseCode: 451 }))
      if (behaviour === 'refuse') return callback(Object.assign(new Error('No such mailbox'), { responseCode: 550 }))
      if (behaviour === 'stall') return void dropped.push(mail)
      if (behaviour === 'drop') {
        dropped.push(mail)
        for (const connection of server.connections) connection.close()
        return
      }
      taken.push(mail)
      await whenTaken()
      callback()
    },
  })
  server.on('error', () => {}) // A line that broke on purpose.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo // A TCP server's address is never the text of a pipe.
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    dropped,
    behave: (next) => {
      behaviour = next
    },
    onTaken: (run) => {
      whenTaken = run
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
