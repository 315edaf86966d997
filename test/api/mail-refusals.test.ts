import { expect, test } from 'vitest'
import { platformApi } from '../../src/contract/platform.ts'
import { composeMail } from '../../src/server/compose-mail.ts'
import { makeSender } from '../../src/server/mail/send-due.ts'
import {
  app,
  fixture,
  HOUR,
  health,
  MINUTE,
  mails,
  pass,
  receivers,
  register,
  reset,
  server,
  setUpMailQueue,
} from '../support/mail-queue.ts'
import type { Refusing } from '../support/mail-server.ts'

setUpMailQueue()

const aboutUs: (Refusing & { name: string })[] = [
  { name: 'the login', at: 'login', code: 535, text: '5.7.8 Authentication failed' },
  { name: 'the connection', at: 'connect', code: 554, text: 'No service for you' },
  { name: 'the sender', at: 'sender', code: 550, text: '5.1.8 Sender rejected' },
  { name: 'the sender for now', at: 'sender', code: 451, text: 'Try later' },
  { name: 'the day’s limit', at: 'text', code: 554, text: '5.7.1 You have sent too much today' },
  { name: 'the right to relay', at: 'receiver', code: 554, text: '5.7.1 <all@example.org>: Relay access denied' },
]

test.each(aboutUs)(
  'a server that refuses $name pauses all mail, and everything goes out once it does not',
  async (refusing) => {
    server.refuse(refusing)
    for (let n = 0; n < 3; n++) await reset()
    // Two days of refusals do not make any mail fail.
    for (let n = 0; n < 8; n++) {
      await app.finishMails()
      pass(6 * HOUR)
    }
    expect(await mails()).toMatchObject(Array.from({ length: 3 }, () => ({ status: 'queued', attempts: 0 })))
    const { paused, queued } = await health()
    expect(queued).toBe(3)
    expect(paused?.reason).toContain(refusing.text.replace('all@example.org', '…').replace(/^[\d.]+ /, ''))
    expect(paused?.tryAgainAt.getTime()).toBeGreaterThan(app.clock.now.getTime() - 6 * HOUR)

    server.refuse(null)
    await app.finishMails()
    expect(receivers()).toEqual(Array.from({ length: 3 }, () => fixture.admin.email))
    expect((await health()).paused).toBeNull()
  },
)

test('while mail is paused no server tries again before its time, and the gaps grow to two minutes', async () => {
  server.refuse({ at: 'login', code: 535, text: 'No' })
  await reset()
  await reset()
  const other = makeSender(app.deps, composeMail)
  const before = server.refusals() + 1
  const gaps = []
  for (let n = 0; n < 6; n++) {
    await app.finishMails()
    await other.sendDue()
    expect(server.refusals() - before).toBe(n + 1)
    const { paused } = await health()
    gaps.push(((paused?.tryAgainAt.getTime() ?? 0) - app.clock.now.getTime()) / 1_000)
    app.clock.now = paused?.tryAgainAt ?? app.clock.now
  }
  expect(gaps).toEqual([10, 20, 40, 80, 120, 120])
})

test('only the operator learns why mail is paused', async () => {
  await expect(app.call(platformApi.getHealth, {}, fixture.token)).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
  await expect(app.call(platformApi.getHealth, {})).rejects.toMatchObject({ code: 'SIGN_IN_NEEDED' })
})

test('a refused receiver, and a mail that is too large, end that mail alone', async () => {
  await register('gone@example.org')
  server.refuse({ at: 'receiver', code: 550, text: '5.1.1 No such mailbox' })
  await app.finishMails()
  server.refuse({ at: 'text', code: 552, text: '5.3.4 Message too big' })
  await reset()
  await app.finishMails()
  server.refuse(null)
  await reset()
  await app.finishMails()
  expect((await mails()).map(({ status, attempts }) => [status, attempts])).toEqual([
    ['failed', 1],
    ['failed', 1],
    ['sent', 1],
  ])
  expect((await health()).paused).toBeNull()
})

test('one mail that is always refused by policy does not keep the others from going out, and ends', async () => {
  server.refuse({ at: 'text', code: 554, text: '5.7.1 This looks like spam', of: 'spam@example.org' })
  await register('spam@example.org')
  await app.finishMails()
  await reset()
  pass(11_000)
  await app.finishMails()
  expect(receivers()).toEqual([fixture.admin.email])
  for (let n = 0; n < 25; n++) {
    await reset()
    await app.finishMails()
    expect(receivers()).toHaveLength(n + 2)
    expect((await health()).paused).toBeNull()
    pass(MINUTE)
    pass(4 * HOUR)
  }
  expect((await mails()).find(({ registrationId }) => registrationId !== null)).toMatchObject({ status: 'failed' })
})
