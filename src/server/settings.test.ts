import { expect, test } from 'vitest'
import { isLocalAddress, readSettings, WrongSettings } from './settings.ts'

test('without any variable everything has its default', () => {
  expect(readSettings({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:3000',
    dataDir: null,
    databaseUrl: null,
    trustProxy: ['loopback'],
    limits: true,
    dbPool: 16,
    workers: 1,
    backupsInS3: false,
    metricsToken: null,
  })
})

test('LIMITS is on or off, TRUST_PROXY none, all, a number or addresses', () => {
  expect(readSettings({ LIMITS: 'off' }).limits).toBe(false)
  expect(() => readSettings({ LIMITS: 'no' })).toThrow('LIMITS must be on or off.')
  expect(readSettings({ TRUST_PROXY: 'off' }).trustProxy).toBe(false)
  expect(readSettings({ TRUST_PROXY: 'on' }).trustProxy).toBe(true)
  expect(readSettings({ TRUST_PROXY: '2' }).trustProxy).toBe(2)
  expect(readSettings({ TRUST_PROXY: '10.0.0.0/8, fd00::1' }).trustProxy).toEqual(['10.0.0.0/8', 'fd00::1'])
  expect(() => readSettings({ TRUST_PROXY: 'nginx' })).toThrow('TRUST_PROXY')
})

test('BACKUPS is off, s3 or a folder, and no word that was meant for one of them', () => {
  expect(readSettings({ BACKUPS: 'off' })).toMatchObject({ backups: false, backupDir: null })
  expect(readSettings({ BACKUPS: '/mnt/S3' })).toMatchObject({ backups: true, backupDir: '/mnt/S3' })
  expect(readSettings({ BACKUPS: './on' })).toMatchObject({ backups: true, backupDir: './on' })
  for (const word of ['S3', 'on', 'OFF', 'false'])
    expect(() => readSettings({ BACKUPS: word }), word).toThrow('BACKUPS must be off, s3 or a folder')
})

test('BASE_URL loses its slash, an empty variable counts as not set', () => {
  expect(readSettings({ BASE_URL: 'https://club.example/', PORT: '' })).toMatchObject({
    baseUrl: 'https://club.example',
    port: 3000,
  })
})

test('every fault is told, in a line of its own', () => {
  const wrong = {
    PORT: '-1',
    DATABASE_URL: 'mysql://x',
    MAIL_FROM: 'nobody',
    SIGNUP: 'maybe',
    S3_BUCKET: 'b',
    STRIPE_SECRET_KEY: 'sk',
  }
  const read = () => readSettings(wrong)
  expect(read).toThrow(WrongSettings)
  try {
    read()
  } catch (error) {
    const faults = error instanceof WrongSettings ? error.faults : []
    const names = Object.keys(wrong).map((name) => faults.filter((fault) => fault.includes(name)).length)
    expect(names).toEqual([1, 1, 1, 1, 1, 1])
  }
})

const wrongOnes: Record<string, string[]> = {
  DB_POOL: ['3', '101', '1e1', '-4'],
  WORKERS: ['0', '17', '1.5', 'all', '-1'],
  PORT: ['1e3', '0x50', '65536', '-1', '3000.5'],
  BASE_URL: [
    'https://club.example/?a=1',
    'https://club.example?',
    'https://club.example/#x',
    'https://me:pw@club.example',
    'https://club.example/tickets',
  ],
  SMTP_URL: ['smtp://', 'smtps://:465', 'smtp:mail.example'],
  MAIL_PER_MINUTE: ['1e9', '9', '1000001', '1.5'],
  MAIL_FROM: [
    '@',
    '"x" <>@',
    'Club <club@example.org',
    'Club club@example.org>',
    'Club, Berlin <club@example.org>',
    'a@b, c@d',
    'Club\nBcc: x@example.org <club@example.org>',
  ],
}

test.each(Object.entries(wrongOnes))('wrong values of %s are refused by its name', (name, values) => {
  for (const value of values)
    expect(() => readSettings({ [name]: value }), value).toThrow(new RegExp(`^${name} [^\n]*$`))
})

test('senders and addresses as people write them are taken', () => {
  const senders = ['club@example.org', 'Club e.V. <a+b@example.org>', '"Club, Berlin" <club@münchen.example>', '<a@b>']
  for (const sender of senders) expect(readSettings({ MAIL_FROM: sender }).mailFrom).toBe(sender)
  expect(readSettings({ SMTP_URL: 'smtp://user:pw@mail.example:587' }).smtpUrl).toContain('mail.example')
  expect(readSettings({ BASE_URL: 'http://[::1]:3000' }).baseUrl).toBe('http://[::1]:3000')
})

test.each([
  ['http://localhost:3000', true],
  ['http://127.0.0.1', true],
  ['http://[::1]:80', true],
  ['https://club.example', false],
])('%s means this machine alone: %s', (url, isLocal) => {
  expect(isLocalAddress(url)).toBe(isLocal)
})
