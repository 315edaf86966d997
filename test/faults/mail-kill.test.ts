import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { registrationApi } from '../../src/contract/registrations.ts'
import { connect } from '../../src/server/db/connect.ts'
import { openEmbedded } from '../../src/server/db/embedded/embedded.ts'
import { startMailServer } from '../support/mail-server.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { ended, makeDataDir, serve, until } from '../support/serve.ts'
import { verify } from '../support/verify.ts'

const MAILS = 40

test('killed while mails are on their way, and again when one was taken but not noted, every ticket arrives', async () => {
  const mailServer = await startMailServer()
  const env = { ...OPERATOR, SMTP_URL: mailServer.url, MAIL_PER_MINUTE: '1000000', LIMITS: 'off' }
  const dataDir = makeDataDir()
  const start = () => serve({ port: 3931, env, dataDir })

  mailServer.behave('stall')
  let served = await start()
  const { event } = await makeEventAt(served.url)
  await Promise.all(
    Array.from({ length: MAILS }, () => callAt(served.url, registrationApi.initRegistration, registrationFor(event))),
  )
  await until(async () => mailServer.dropped.length > 0, 120_000, 'a mail hangs half-way')
  await ended(served.process, 'SIGKILL')

  // Killed between the acceptance of a mail and the record of it.
  mailServer.behave('take')
  let isKilled = false
  mailServer.onTaken(async () => {
    if (isKilled || mailServer.taken.length < 10) return
    isKilled = true
    await ended(served.process, 'SIGKILL')
  })
  served = await start()
  await until(async () => isKilled, 120_000, 'it is killed again')
  const takenBefore = mailServer.taken.length
  served = await start()
  const addresses = () => new Set(mailServer.taken.flatMap(({ envelope }) => envelope.to))
  await until(async () => addresses().size === MAILS, 120_000, 'every ticket has been taken')
  // A mail with an unknown outcome is sent again when its lease has ended.
  const metrics = async () => (await fetch(`${served.url}/metrics`)).text()
  await until(async () => /turnout_mails\{status="queued"\} 0\n/.test(await metrics()), 120_000, 'all are noted')
  await ended(served.process, 'SIGTERM')

  // Only mails with an outcome left unknown by a kill are sent twice, and then with the same id.
  const ids = mailServer.taken.map(({ parsed }) => parsed.messageId)
  expect(new Set(ids).size).toBe(MAILS)
  // Drawn and composed in a thread of the built server.
  for (const { parsed } of mailServer.taken) {
    const files = parsed.attachments.map(({ filename, content }) => {
      const start = typeof content === 'string' ? content : Buffer.from(new Uint8Array(content)).toString('latin1')
      return `${filename} ${start.slice(0, 5)}`
    })
    expect(files).toEqual(['ticket.png \x89PNG\r', 'ticket.pdf %PDF-', 'event.ics BEGIN'])
  }
  expect(mailServer.taken.length - MAILS).toBeLessThanOrEqual(takenBefore)
  const embedded = await openEmbedded(dataDir, () => {})
  const db = connect(embedded.connection)
  await verify(db)
  const states = await db.selectFrom('mails').select('status').distinct().execute()
  expect(states).toEqual([{ status: 'sent' }])
  await db.destroy()
  await embedded.stop()
  await mailServer.stop()
  rmSync(dataDir, { recursive: true, force: true })
}, 600_000)
