import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Payload } from '../../src/contract/endpoint.ts'
import type { NewPasskey, PasskeyProof, passkeyApi } from '../../src/contract/passkeys.ts'
import { BASE_URL } from './start-app.ts'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const base64 = (data: string | Buffer) => Buffer.from(data).toString('base64url')

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

interface Differently {
  /** The site that the browser shows. */
  origin?: string
  /** Whether the person has unlocked the device. */
  isVerified?: boolean
  counter?: number
  /** What the browser says that it has signed. */
  challenge?: unknown
  /** The format of the attestation, with a certificate unless it is `none`. */
  format?: string
  /** How many bytes the name of the passkey has. */
  idBytes?: number
}

/** A device that holds one passkey: makes it and signs with it, as WebAuthn says (https://www.w3.org/TR/webauthn-3/). */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #id = randomBytes(32)

  make({ challenge, rp }: Payload<typeof passkeyApi.startAdding>, differently: Differently = {}): NewPasskey {
    const { format = 'none', idBytes } = differently
    const id = idBytes === undefined ? this.#id : randomBytes(idBytes)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()])
    const authData = Buffer.concat([this.#data(rp.id, HAS_CREDENTIAL, differently), credential])
    const attestation = map([
      [text('fmt'), text(format)],
      [text('attStmt'), map(format === 'none' ? [] : [[text('x5c'), list([bytes(Buffer.from('certificate'))])]])],
      [text('authData'), bytes(authData)],
    ])
    return {
      id: base64(this.#id),
      clientDataJSON: base64(this.#clientData('webauthn.create', challenge, differently)),
      attestationObject: base64(attestation),
    }
  }

  use({ challenge, rpId }: Payload<typeof passkeyApi.startUse>, differently: Differently = {}): PasskeyProof {
    const clientData = this.#clientData('webauthn.get', challenge, differently)
    const data = this.#data(rpId, 0, differently)
    const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), this.#keys.privateKey)
    return {
      id: base64(this.#id),
      clientDataJSON: base64(clientData),
      authenticatorData: base64(data),
      signature: base64(signature),
    }
  }

  #clientData(type: string, asked: string, { origin = BASE_URL, challenge = asked }: Differently): string {
    return JSON.stringify({ type, challenge, origin, crossOrigin: false })
  }

  #data(rpId: string, more: number, { isVerified = true, counter = 0 }: Differently): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const flags = USER_PRESENT | more | (isVerified ? USER_VERIFIED : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
  }

  /** The public key: ECDSA with SHA-256 on P-256. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    return map([
      [int(1), int(2)],
      [int(3), int(-7)],
      [int(-1), int(1)],
      [int(-2), bytes(Buffer.from(x, 'base64url'))],
      [int(-3), bytes(Buffer.from(y, 'base64url'))],
    ])
  }
}

// The few kinds of CBOR (RFC 8949) that this takes.
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const list = (items: readonly Buffer[]) => Buffer.concat([head(4, items.length), ...items])
const map = (pairs: readonly (readonly [Buffer, Buffer])[]) => Buffer.concat([head(5, pairs.length), ...pairs.flat()])
