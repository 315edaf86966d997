import autocannon from 'autocannon'
import { startMailServer } from '../support/mail-server.ts'
import { registrationFor } from '../support/make.ts'
import { startBench } from './bench-server.ts'

// A rush of registrations while mails go out at the usual pace, beside the same rush with (nearly) no mail: with as many clients as
// take all of the processor, and with so few that some of it is left. In turns, since machines are noisy; the medians are compared.
const ROUNDS = 3
const SECONDS = 6
const FULL = 64
const SPARE = 4
const mailServer = await startMailServer()

/** Registrations a second, by how many clients there were. */
async function rush(mailsPerMinute: number): Promise<Map<number, number>> {
  const { served, newEvent, stop } = await startBench(3934, {
    SMTP_URL: mailServer.url,
    MAIL_PER_MINUTE: String(mailsPerMinute),
  })
  try {
    const event = await newEvent('Rush')
    const run = async (connections: number, duration: number) => {
      const result = await autocannon({
        url: served.url,
        connections,
        duration,
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
    // By its end the threads that draw tickets have started, and draw at their pace.
    await run(FULL, 3)
    return new Map([
      [SPARE, await run(SPARE, SECONDS)],
      [FULL, await run(FULL, SECONDS)],
    ])
  } finally {
    await stop()
  }
}

const rates = { off: [] as Map<number, number>[], on: [] as Map<number, number>[] }
for (let round = 0; round < ROUNDS; round++) {
  rates.off.push(await rush(10))
  rates.on.push(await rush(600))
}
await mailServer.stop()

const median = (of: readonly Map<number, number>[], clients: number) =>
  of.map((each) => each.get(clients) ?? 0).sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0
console.log('\nRegistrations a second while 10 and while 600 mails a minute go out')
for (const clients of [SPARE, FULL]) {
  const [off, on] = [median(rates.off, clients), median(rates.on, clients)]
  console.log(
    `${String(clients).padStart(3)} clients   ${off.toFixed(0)}/s   ${on.toFixed(0)}/s   ${(on / off).toFixed(2)} ×`,
  )
}
console.log(`${mailServer.taken.length} mails went out`)
