import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type QueueEntry, withoutCode } from './queue-entry.ts'

const start = { clock: Date.parse('2026-11-27T18:00:00Z'), running: 1_000, page: 'a', ahead: 0 }

test('a deleted code leaves its hash, which still identifies the scan', () => {
  const act = { kind: 'code' as const, qrCodeData: 'https://club.example/qr/42/secret' }
  const entry: QueueEntry = { eventId: 1, scanId: 's', act, ticketId: 42, wasShownIn: true, by: 'Ana', made: start }
  const codeHash = createHash('sha256').update(act.qrCodeData).digest('hex')
  expect(withoutCode(entry)).toEqual({ ...entry, act: { kind: 'hand', registrationId: 42, codeHash } })
  expect(withoutCode(withoutCode(entry))).toEqual(withoutCode(entry))
})
