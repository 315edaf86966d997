import * as z from 'zod/mini'
import type { Input } from '../../contract/endpoint.ts'
import { isDecided, type Refusal } from '../../contract/errors.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { tabStore } from '../storage.ts'
import { draftKeyOf, triesKeyOf, unpaidKeyOf } from './typed.ts'

/**
 * One attempt to register. This file and `typed.ts` store the draft, the tries and the unpaid registration in this tab until the
 * registration is confirmed, so that a reload, the way back from the bank or a lost answer loses nothing.
 */
export type Try = Input<typeof registrationApi.initRegistration>
/** The id and the secret of a ticket, by which its holder is recognized; and those of its order, if it was made with others. */
export type Holder = z.output<typeof holder>

const oneTry = registrationApi.initRegistration.input
const tries = z.array(oneTry)
const holder = z.object({
  id: z.int(),
  qrUuid: z.string(),
  order: z.optional(z.object({ id: z.int(), secret: z.string() })),
})

/** Stores a try that is about to be sent until its outcome is known. All tries share one key. */
export function saveTry(eventId: number, next: Try): void {
  write(triesKeyOf(eventId), [...triesBut(eventId, next), asKept(next)])
}

/**
 * Drops a try that certainly made no registration: our server refused it, and it had not been sent before. A try in `before` was not
 * answered then, so it may have arrived, whatever the server answers now.
 */
export function dropRefused(eventId: number, refused: Try, before: readonly Try[], refusal: Refusal): void {
  if (!isDecided(refusal) || before.some((each) => isSame(each, refused))) return
  write(triesKeyOf(eventId), triesBut(eventId, refused))
}

function triesBut(eventId: number, one: Try): Try[] {
  return readTries(eventId).filter((each) => !isSame(each, one))
}

const isSame = (one: Try, other: Try) => JSON.stringify(asKept(one)) === JSON.stringify(asKept(other))

/** The try as it is stored and as the server reads it: without spaces around the input. */
function asKept(one: Try): Try {
  const result = z.safeParse(oneTry, one)
  return result.success ? result.data : one
}

/** The tries whose outcome is unknown, oldest first. */
export function readTries(eventId: number): Try[] {
  return read(triesKeyOf(eventId), tries) ?? []
}

/** Stores the holder of a registration that waits to be paid; this settles all tries. */
export function saveUnpaid(eventId: number, { id, qrUuid, order }: Holder): void {
  write(unpaidKeyOf(eventId), { id, qrUuid, ...(order && { order: { id: order.id, secret: order.secret } }) })
  tabStore.remove(triesKeyOf(eventId))
}

export function readUnpaid(eventId: number): Holder | null {
  return read(unpaidKeyOf(eventId), holder)
}

/** Forgets the unpaid registration and the tries. The draft stays, for another try with a new key. */
export function forgetUnpaid(eventId: number): void {
  tabStore.remove(unpaidKeyOf(eventId))
  tabStore.remove(triesKeyOf(eventId))
}

/** Forgets everything: the registration is confirmed, or no longer wanted. */
export function forgetDraft(eventId: number): void {
  forgetUnpaid(eventId)
  tabStore.remove(draftKeyOf(eventId))
}

function write(key: string, value: unknown): void {
  tabStore.write(key, JSON.stringify(value))
}

function read<T>(key: string, schema: z.ZodMiniType<T>): T | null {
  try {
    const result = z.safeParse(schema, JSON.parse(tabStore.read(key) ?? 'null'))
    return result.success ? result.data : null
  } catch {
    return null
  }
}
