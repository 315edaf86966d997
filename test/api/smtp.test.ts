import { afterEach, beforeEach, expect, test } from 'vitest'
import { smtpMailer } from '../../src/server/mail/smtp.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { makeFixture, makeRegistration } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let server: MailServer
let app: TestApp
beforeEach(async () => {
  server = await startMailServer()
  app = await startApp({ mailer: smtpMailer(server.url, 'Turnout <tickets@turnout.test>', { patienceMs: 1_000 }) })
})
afterEach(async () => {
  app.deps.mailer.close()
  await app.stop()
  await server.stop()
})

const states = () => app.deps.db.selectFrom('mails').select(['status', 'attempts', 'lastError']).execute()

test('the ticket mail arrives over SMTP, readable in any script, with the club to reply to', async () => {
  const { event, club } = await makeFixture(app, { name: 'Fête d’été 夏祭り', location: 'Boathouse' })
  const registration = await makeRegistration(app, event, { name: 'Zoë 山田', email: 'zoe@example.org' })
  await app.finishMails()

  expect(server.taken).toHaveLength(1)
  const mail = server.taken[0]
  expect(mail?.envelope).toEqual({ from: 'tickets@turnout.test', to: ['zoe@example.org'] })
  // In the name of the club, from the address that may send.
  expect(mail?.parsed.from).toEqual({ name: `${club.name} via Turnout`, address: 'tickets@turnout.test' })
  expect(mail?.parsed.subject).toBe('Your ticket: Fête d’été 夏祭り')
  expect(mail?.parsed.text).toContain('Hello Zoë 山田')
  expect(mail?.parsed.html).toContain(`/qr/${registration.id}/${registration.qrUuid}`)
  expect(mail?.parsed.html).toContain('<img src="cid:qr"')
  // So that nobody's note of absence answers it.
  expect(mail?.parsed.headers).toContainEqual(
    expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
  )
  const files = mail?.parsed.attachments ?? []
  expect(files.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
    ['ticket.png', 'image/png'],
    ['ticket.pdf', 'application/pdf'],
    ['event.ics', 'text/calendar'],
  ])
  const contentOf = (name: string) => {
    const content = files.find(({ filename }) => filename === name)?.content ?? ''
    return typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content))
  }
  expect(contentOf('ticket.pdf').subarray(0, 5).toString()).toBe('%PDF-')
  const calendar = contentOf('event.ics').toString()
  for (const line of [
    'DTSTART:20261127T180000Z',
    'DTEND:20261127T220000Z',
    'SUMMARY:Fête d’été 夏祭り',
    'LOCATION:Boathouse',
  ])
    expect(calendar).toContain(line)
  expect(await states()).toEqual([{ status: 'sent', attempts: 1, lastError: null }])
})

test('an address with a domain in letters beyond ASCII gets its mail', async () => {
  const { event } = await makeFixture(app)
  await makeRegistration(app, event, { email: 'info@münchen-club.example' })
  await app.finishMails()
  // It was sent as xn--mnchen-club-thb.example, which this server decodes again.
  expect(server.taken.map(({ envelope }) => envelope.to)).toEqual([['info@münchen-club.example']])
  expect(await states()).toEqual([{ status: 'sent', attempts: 1, lastError: null }])
})

test('a name cannot add a header or another receiver', async () => {
  const { event } = await makeFixture(app, { name: 'Party' })
  const response = await app.raw(
    { method: 'POST', path: '/api/registration/initRegistration' },
    {
      newRegistration: {
        eventId: event.id,
        clubId: event.clubId,
        registrationData: { name: 'Eve\r\nBcc: all@example.org', email: 'eve@example.org', phone: '+49 30 1234567' },
      },
    },
  )
  expect(response.status).toBe(422)
  await makeRegistration(app, event, { name: 'Eve, Bcc: <all@example.org>', email: 'eve@example.org' })
  await app.finishMails()
  expect(server.taken.map(({ envelope }) => envelope.to)).toEqual([['eve@example.org']])
})

test('a mail is tried again later at a busy server, but not at one that refuses it for good', async () => {
  const { event } = await makeFixture(app)
  server.behave('busy')
  await makeRegistration(app, event)
  await app.finishMails()
  expect(await states()).toMatchObject([{ status: 'queued', attempts: 1, lastError: expect.stringContaining('451') }])
  server.behave('take')
  app.clock.now = new Date(app.clock.now.getTime() + 61_000)
  await app.finishMails()
  expect(await states()).toMatchObject([{ status: 'sent', attempts: 2 }])

  server.behave('refuse')
  await makeRegistration(app, event)
  await app.finishMails()
  expect((await states()).at(-1)).toMatchObject({
    status: 'failed',
    attempts: 1,
    lastError: expect.stringContaining('550'),
  })
})

test('a connection dropped after the mail was sent but before it was taken is tried again with the same Message-ID', async () => {
  const { event } = await makeFixture(app)
  server.behave('drop')
  await makeRegistration(app, event)
  await app.finishMails()
  expect(await states()).toMatchObject([{ status: 'queued', attempts: 1 }])
  server.behave('take')
  app.clock.now = new Date(app.clock.now.getTime() + 61_000)
  await app.finishMails()
  const ids = [...server.dropped, ...server.taken].map(({ parsed }) => parsed.messageId)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('a mail to a server that stalls times out, and is tried again later with the same Message-ID', async () => {
  const { event } = await makeFixture(app)
  server.behave('stall')
  await makeRegistration(app, event)
  await app.finishMails()
  expect(await states()).toMatchObject([{ status: 'queued', attempts: 1, lastError: expect.any(String) }])
  server.behave('take')
  app.clock.now = new Date(app.clock.now.getTime() + 61_000)
  await app.finishMails()
  expect(await states()).toMatchObject([{ status: 'sent', attempts: 2 }])
  const ids = [...server.dropped, ...server.taken].map(({ parsed }) => parsed.messageId)
  expect(new Set(ids).size).toBe(1)
})
