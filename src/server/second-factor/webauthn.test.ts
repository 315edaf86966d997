import { encodeCBOR } from '@levischuck/tiny-cbor'
import { expect, test } from 'vitest'
import { isWithoutCertificates } from './webauthn.ts'

const attestation = (fmt: string, attStmt: ReadonlyMap<string, Uint8Array | Uint8Array[]>) => {
  const parts = new Map<string, string | Uint8Array | Map<string, Uint8Array | Uint8Array[]>>()
  parts.set('fmt', fmt).set('attStmt', new Map(attStmt)).set('authData', new Uint8Array(37))
  return Buffer.from(encodeCBOR(parts)).toString('base64url')
}

test('a new passkey is accepted without attestation or with its own signature, never with certificates of its maker', () => {
  const own = new Map([['sig', new Uint8Array(70)]])
  const makers = new Map<string, Uint8Array | Uint8Array[]>([...own, ['x5c', [new Uint8Array(300)]]])
  expect(isWithoutCertificates(attestation('none', new Map()))).toBe(true)
  expect(isWithoutCertificates(attestation('packed', own))).toBe(true)
  expect(isWithoutCertificates(attestation('packed', makers))).toBe(false)
  for (const format of ['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'tpm'])
    expect(isWithoutCertificates(attestation(format, own))).toBe(false)
  expect(isWithoutCertificates('AA')).toBe(false)
})
