import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

interface Taken {
  envelope: { from: string; to: string[] }
  parsed: Email
}

/** How the server handles a mail: accept it, refuse it for now (451) or for good (550), close the connection after the text, or never answer. */
type Behaviour = 'take' | 'busy' | 'refuse' | 'drop' | 'stall'

type Step = 'connect' | 'login' | 'sender' | 'receiver' | 'text'

/** Refuses at this step with this code and text; with `of`, only mails to that address. */
export interface Refusing {
  at: Step
  code: number
  text: string
  of?: string
}

export interface MailServer {
  url: string
  taken: Taken[]
  /** Mails whose text came but was never acknowledged. */
  dropped: Taken[]
  behave: (behaviour: Behaviour) => void
  /** Sets the refusals from now on; null for none. */
  refuse: (refusing: Refusing | null) => void
  /** The number of refusals so far. */
  refusals: () => number
  /** Sets a function that runs when a mail has been accepted, before the sender gets the answer. */
  onTaken: (run: () => Promise<void>) => void
  stop: () => Promise<void>
}

/** A real SMTP server on its own port, optionally with a login. */
export async function startMailServer({ withLogin = false } = {}): Promise<MailServer> {
  const taken: Taken[] = []
  const dropped: Taken[] = []
  let behaviour: Behaviour = 'take'
  let whenTaken = async () => {}
  let refusing: Refusing | null = null
  let refusals = 0
  const refusalAt = (step: Step, to: readonly string[] = []) => {
    if (refusing?.at !== step || (refusing.of !== undefined && !to.includes(refusing.of))) return null
    refusals += 1
    return Object.assign(new Error(refusing.text), { responseCode: refusing.code })
  }
  const server = new SMTPServer({
    authOptional: !withLogin,
    allowInsecureAuth: true,
    disabledCommands: withLogin ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    logger: false,
    onConnect: (_session, callback) => callback(refusalAt('connect')),
    onAuth: ({ username }, _session, callback) => {
      const refusal = refusalAt('login')
      if (refusal) callback(refusal)
      else callback(null, { user: username })
    },
    onMailFrom: (_address, _session, callback) => callback(refusalAt('sender')),
    onRcptTo: ({ address }, _session, callback) => callback(refusalAt('receiver', [address])),
    onData: async (stream, session, callback) => {
      // A sender that was killed half-way gets no answer.
      const content = await buffer(stream).catch(() => null)
      if (!content) return
      const { mailFrom, rcptTo } = session.envelope
      const mail = {
        envelope: { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) },
        parsed: await PostalMime.parse(content),
      }
      const refusal = refusalAt('text', mail.envelope.to)
      if (refusal) return callback(refusal)
      if (behaviour === 'busy') return callback(Object.assign(new Error('Busy, try later'), { responseCode: 451 }))
      if (behaviour === 'refuse')
        return callback(Object.assign(new Error('5.1.1 No such mailbox'), { responseCode: 550 }))
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
  const closeAll = () => {
    for (const connection of server.connections) connection.close()
  }
  server.on('error', () => {}) // Connections are broken on purpose.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo // A TCP server's address is never the text of a pipe.
  return {
    url: `smtp://${withLogin ? 'club:secret@' : ''}127.0.0.1:${port}`,
    taken,
    dropped,
    behave: (next) => {
      behaviour = next
    },
    refuse: (next) => {
      refusing = next
      // A sender that is already connected and signed in would not notice it.
      if (next?.at === 'connect' || next?.at === 'login') closeAll()
    },
    refusals: () => refusals,
    onTaken: (run) => {
      whenTaken = run
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        closeAll()
      }),
  }
}
