import { expect, test } from 'vitest'
import { readSettings, WrongSettings } from './settings.ts'

test('without any variable everything has its default', () => {
  expect(readSettings({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:3000',
    dataDir: './data',
    databaseUrl: null,
    trustProxy: ['loopback'],
    limits: true,
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
