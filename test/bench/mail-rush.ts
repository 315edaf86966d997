import autocannon from 'autocannon'
import { startMailServer } from '../support/mail-server.ts'
import { registrationFor } from '../support/make.ts'
import { startBench } from './bench-server.ts'

// A rush of 2,000 registrations, 64 at once, while mails go out at the usual pace, beside the same rush with (nearly) no mail.
const RUSH = 2_000
const mailServer = await startMailServer()

async function rush(port: number, mailsPerMinute: number) {
  const { served, newEvent, stop } = await startBench(port, {
    SMTP_URL: mailServer.url,
    MAIL_PER_MINUTE: String(mailsPerMinute),
  })
  try {
    const run = async (name: string, amount: number) => {
      const event = await newEvent(name)
      const result = await autocannon({
        url: served.url,
        connections: 64,
        amount,
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
      return result.latency
    }
    await run('Warming up', 500)
    const start = performance.now()
    const { p50, p99 } = await run('Rush', RUSH)
    return { perSecond: (RUSH * 1000) / (performance.now() - start), p50, p99 }
  } finally {
    await stop()
  }
}

const off = await rush(3934, 10)
const on = await rush(3935, 600)
await mailServer.stop()
console.log(`\nA rush of ${RUSH} registrations, 64 at once`)
for (const [what, { perSecond, p50, p99 }] of [
  ['10 mails a minute', off],
  ['600 mails a minute', on],
] as const)
  console.log(`${what.padEnd(20)} ${perSecond.toFixed(0).padStart(6)}/s  p50 ${p50} ms  p99 ${p99} ms`)
console.log(
  `with mail ${(on.perSecond / off.perSecond).toFixed(2)} × the speed without; ${mailServer.taken.length} mails went out`,
)
