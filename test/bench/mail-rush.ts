import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { registrationFor } from '../support/make.ts'
import { startBench } from './bench-server.ts'

// Compares the rate of registrations while mails go out with the rate while the queue of mails is paused, with many and with few clients.
// Runs with and without mails alternate on one server, because machines are noisy: each run with mails is compared with the mean of its two
// neighbours, and the median of these ratios is printed with its standard error: `BENCH_RUNS=40` takes eleven minutes, and has half the error.
const RUNS = Number(process.env.BENCH_RUNS ?? 10)
const SECONDS = 4
const MANY = 64
const FEW = 4
/** The limit holds for any six seconds, and a cycle takes eight: each run with mails sends 40, which is 600 a minute. */
const MAILS_PER_MINUTE = 400
const MAIL_PORT = 3937

let mails = 0
const mailServer = fork(join(import.meta.dirname, 'mail-sink.ts'), [String(MAIL_PORT)])
await once(mailServer, 'message')
mailServer.on('message', () => mails++)
const { served, db, newEvent, stop } = await startBench(3934, {
  SMTP_URL: `smtp://127.0.0.1:${MAIL_PORT}`,
  MAIL_PER_MINUTE: String(MAILS_PER_MINUTE),
})

/** Pauses or resumes the queue of mails. The worker reads the state before each round. */
async function setMails(areOn: boolean): Promise<void> {
  const pausedUntil = areOn ? null : new Date(Date.now() + 60_000)
  const pause = { reason: areOn ? null : 'bench', since: pausedUntil, pausedUntil }
  await db.updateTable('mailState').set(pause).execute()
}

try {
  let event = await newEvent('Rush')
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
  // Warms up, and starts the thread that draws tickets.
  for (let n = 0; n < 3; n++) await run(MANY)
  console.log('\nRegistrations a second while no mails and while mails go out')
  for (const clients of [FEW, MANY]) {
    const runs: { off: number; on: number; sent: number }[] = []
    await setMails(false)
    let before = await run(clients)
    for (let n = 0; n < RUNS; n++) {
      // An event has at most a million places.
      if (n % 10 === 9) {
        event = await newEvent('Rush')
        before = await run(clients)
      }
      await setMails(true)
      const sentBefore = mails
      const on = await run(clients)
      const sent = mails - sentBefore
      await setMails(false)
      const after = await run(clients)
      runs.push({ off: (before + after) / 2, on, sent })
      before = after
    }
    const quantile = (share: number, of: (each: (typeof runs)[number]) => number) =>
      runs.map(of).sort((one, other) => one - other)[Math.floor(RUNS * share)] ?? 0
    const ratioOf = ({ on, off }: (typeof runs)[number]) => on / off
    const [off, on, ratio] = [
      quantile(0.5, (each) => each.off),
      quantile(0.5, (each) => each.on),
      quantile(0.5, ratioOf),
    ]
    // The standard error of a median, if values are distributed normally. Neighbouring ratios share a run, so it is 5 to 10 % too small.
    const error = (0.93 * (quantile(0.75, ratioOf) - quantile(0.25, ratioOf))) / Math.sqrt(RUNS)
    const perMinute = (quantile(0.5, ({ sent }) => sent) * 60) / SECONDS
    console.log(
      `${String(clients).padStart(3)} clients   ${off.toFixed(0)}/s   ${on.toFixed(0)}/s   ${ratio.toFixed(2)} ± ${error.toFixed(2)} ×   (${perMinute.toFixed(0)} mails a minute)`,
    )
  }
} finally {
  await stop()
  mailServer.kill()
}
