import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readQr, shortCode, ticketUrl } from './ticket-codes.ts'

const ticket = fc.record({ id: fc.integer({ min: 1, max: 2_147_483_647 }), qrUuid: fc.uuid({ version: 4 }) })

test('every ticket is read back from its address, its JSON form and its short code', () => {
  fc.assert(
    fc.property(ticket, ({ id, qrUuid }) => {
      const content = { kind: 'ticket', id, qrUuid }
      expect(readQr(ticketUrl('https://a.example/turnout', { id, qrUuid }))).toEqual(content)
      // The secret decides what it is; the claim is ignored.
      for (const claim of [{}, { type: 'voucher' }])
        expect(readQr(JSON.stringify({ id, qrUuid, ...claim }))).toEqual(content)
      expect(readQr(`${ticketUrl('http://b', { id, qrUuid })}?type=voucher`)).toEqual({ ...content, kind: 'voucher' })
      expect(readQr(shortCode({ id, qrUuid }))).toEqual({ kind: 'short', id, qrStart: qrUuid.slice(0, 8) })
    }),
  )
})

test('no text makes the reader fail, and other codes are none of ours', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(typeof readQr(text)).toBe('object')
    }),
  )
  for (const text of [
    '',
    'hello',
    '{',
    '{}',
    'null',
    '{"id":1}',
    '{"id":"x","qrUuid":"y"}',
    'https://example.org/qr/1/2',
    '0-12345678',
  ])
    expect(readQr(text)).toBeNull()
})
