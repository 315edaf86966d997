import { once } from 'node:events'
import autocannon from 'autocannon'
import { SMTPServer } from 'smtp-server'
import { registrationFor } from '../support/make.ts'
import { startBench } from './bench-server.ts'

// A rush of registrations while mails go out, beside the same rush while the queue of mails is paused: with as many clients as take all of
// the processor, and with so few that some of it is left. Both in turns on one server, since machines are noisy; the medians of the
// ratios of neighbours are printed.
const PAIRS = 12
const SECONDS = 3
const FULL = 64
const SPARE = 4
/** Mails go out in half of the time, so faster in it: at about 600 a minute. */
const MAILS_PER_MINUTE = 450
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
    const pairs: { off: number; on: number; sent: number }[] = []
    for (let n = 0; n < PAIRS; n++) {
      const pair = { off: 0, on: 0, sent: 0 }
      // Each goes first in half of the pairs.
      for (const areOn of n % 2 === 0 ? [false, true] : [true, false]) {
        await setMails(areOn)
        const before = mails
        pair[areOn ? 'on' : 'off'] = await run(clients)
        if (areOn) pair.sent = mails - before
      }
      pairs.push(pair)
    }
    const median = (of: (pair: (typeof pairs)[number]) => number) =>
      pairs.map(of).sort((one, other) => one - other)[Math.floor(PAIRS / 2)] ?? 0
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
