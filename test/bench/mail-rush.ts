import { once } from 'node:events'
import autocannon from 'autocannon'
import { SMTPServer } from 'smtp-server'
import { registrationFor } from '../support/make.ts'
import { startBench } from './bench-server.ts'

// A rush of registrations while mails go out, beside the same rush while the queue of mails is paused: with as many clients as take all of
// the processor, and with so few that some of it is left. In turns on one server, since machines are noisy: each run with mails is compared
// with the two without them beside it, and the median is printed.
const PAIRS = 10
const SECONDS = 4
const FULL = 64
const SPARE = 4
/** In half of the time, as many as 600 a minute would be in it: the pace is that of six seconds. */
const MAILS_PER_MINUTE = 400
const MAIL_PORT = 3937

let mails = 0
// Reads mails without parsing them, which would take more of the processor than sending them does.
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData: (stream, _session, callback) => {
    stream.resume()
    stream.once('end', () => {
      mails++
      callback(null)
    })
  },
})
mailServer.listen(MAIL_PORT, '127.0.0.1')
await once(mailServer.server, 'listening')
const { served, db, newEvent, stop } = await startBench(3934, {
  SMTP_URL: `smtp://127.0.0.1:${MAIL_PORT}`,
  MAIL_PER_MINUTE: String(MAILS_PER_MINUTE),
})

/** Lets mails go out, or not: the worker reads it before each round. */
async function setMails(areOn: boolean): Promise<void> {
  const pausedUntil = areOn ? null : new Date(Date.now() + 60_000)
  const pause = { reason: areOn ? null : 'bench', since: pausedUntil, pausedUntil }
  await db.updateTable('mailState').set(pause).execute()
}

try {
  const event = await newEvent('Rush')
  const run = async (connections: number) => {
    const result = await autocannon({
      url: served.url,
      connections,
      duration: SECONDS,
      requests: [
        {
          method: 'POST',
          path: '/api/registration/initRegistration',
          headers: { 'content-type': 'application/json' },
          setupRequest: (request) => ({ ...request, body: JSON.stringify(registrationFor(event)) }),
        },
      ],
    })
    if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} errors`)
    return result['2xx'] / result.duration
  }
  // By its end the thread that draws tickets has started.
  for (let n = 0; n < 3; n++) await run(FULL)
  console.log('\nRegistrations a second while no mails and while mails go out')
  for (const clients of [SPARE, FULL]) {
    const runs: { off: number; on: number; sent: number }[] = []
    await setMails(false)
    let before = await run(clients)
    for (let n = 0; n < PAIRS; n++) {
      await setMails(true)
      const sentBefore = mails
      const on = await run(clients)
      const sent = mails - sentBefore
      await setMails(false)
      const after = await run(clients)
      runs.push({ off: (before + after) / 2, on, sent })
      before = after
    }
    const median = (of: (pair: (typeof runs)[number]) => number) =>
      runs.map(of).sort((one, other) => one - other)[Math.floor(PAIRS / 2)] ?? 0
    const [off, on, ratio] = [
      median((pair) => pair.off),
      median((pair) => pair.on),
      median((pair) => pair.on / pair.off),
    ]
    const perMinute = (median(({ sent }) => sent) * 60) / SECONDS
    console.log(
      `${String(clients).padStart(3)} clients   ${off.toFixed(0)}/s   ${on.toFixed(0)}/s   ${ratio.toFixed(2)} ×   (${perMinute.toFixed(0)} mails a minute)`,
    )
  }
} finally {
  await stop()
  await new Promise<void>((resolve) => mailServer.close(resolve))
}
