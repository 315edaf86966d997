import * as z from 'zod/mini'
import type { Input } from '../../contract/endpoint.ts'
import { isDecided, type Refusal } from '../../contract/errors.ts'
import { registrationApi } from '../../contract/registrations.ts'
import { tabStore } from '../storage.ts'
import { draftKeyOf, triesKeyOf, unpaidKeyOf } from './typed.ts'

/**
 * Keeps what was typed (`typed.ts`), what was sent, and what waits to be paid, until the registration is confirmed: a reload, the way back
 * from the bank and an answer that never came lose nothing. Only in this tab.
 */
export type Try = Input<typeof registrationApi.initRegistration>
/** Whose ticket it is: its address and its secret. */
export type Holder = { id: number; qrUuid: string }

const oneTry = registrationApi.initRegistration.input
const tries = z.array(oneTry)
const holder = z.object({ id: z.int(), qrUuid: z.string() })

/** Keeps what is about to be sent, until it is known what became of it. All of them have one key. */
export function saveTry(eventId: number, next: Try): void {
  write(triesKeyOf(eventId), [...triesBut(eventId, next), asKept(next)])
}

/**
 * Drops a try that certainly made no registration: our server refused it, and it had not been sent before. A try that is among `before`
 * got no answer then, so it may have arrived, whatever the server answers now.
 */
export function dropRefused(eventId: number, refused: Try, before: readonly Try[], refusal: Refusal): void {
  if (!isDecided(refusal) || before.some((each) => isSame(each, refused))) return
  write(triesKeyOf(eventId), triesBut(eventId, refused))
}

function triesBut(eventId: number, one: Try): Try[] {
  return readTries(eventId).filter((each) => !isSame(each, one))
}

const isSame = (one: Try, other: Try) => JSON.stringify(asKept(one)) === JSON.stringify(asKept(other))

/** As it is read again and as the server takes it: without the spaces around what was typed. */
function asKept(one: Try): Try {
  const result = z.safeParse(oneTry, one)
  return result.success ? result.data : one
}

/** What was sent without an answer that settles it, oldest first. */
export function readTries(eventId: number): Try[] {
  return read(triesKeyOf(eventId), tries) ?? []
}

/** Keeps whose registration waits to be paid; what was sent is settled then. */
export function saveUnpaid(eventId: number, { id, qrUuid }: Holder): void {
  write(unpaidKeyOf(eventId), { id, qrUuid })
  tabStore.remove(triesKeyOf(eventId))
}

export function readUnpaid(eventId: number): Holder | null {
  return read(unpaidKeyOf(eventId), holder)
}

/** What is filled in stays, for another try with a key of its own. */
export function forgetUnpaid(eventId: number): void {
  tabStore.remove(unpaidKeyOf(eventId))
  tabStore.remove(triesKeyOf(eventId))
}

/** The registration is made, or nobody wants it any more. */
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
