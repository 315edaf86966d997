import { attendeeApi } from '../../../contract/attendees.ts'
import type { QueuedScan } from '../../../contract/door.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { isRefusalCode, isRefused, Refusal } from '../../../contract/errors.ts'
import { questionsFor, validateAnswers } from '../../../contract/forms.ts'
import type { Registration } from '../../../contract/registrations.ts'
import { onSale } from '../../../contract/ticket-type.ts'
import { toRequest } from '../../../contract/wire.ts'
import * as texts from '../../../texts/generated/door.ts'
import * as walkInTexts from '../../../texts/generated/walkIns.ts'
import { call } from '../../api/call.ts'
import { newId } from '../../new-id.ts'
import { askServer } from '../phone/ask-server.ts'
import { type Door, emit, setAdding, setCanPersist, setWalkIns } from '../phone/door.ts'
import { pause, within } from '../phone/pause.ts'
import { enqueue, renameRecent } from '../phone/queue.ts'
import { sendQueue, sendStuckAgain } from '../phone/send-queue.ts'
import { syncNow } from '../phone/sync.ts'
import type { QueueEntry } from '../rules/queue-entry.ts'
import { shownForm } from './keep-form.ts'
import { changeWalkIns } from './walk-in-store.ts'
import { placesLeft } from './walk-ins.ts'

type Wish = Input<typeof attendeeApi.save>['payload'] & { idempotencyKey: string }

/** How long the server is waited for, in ms, where the phone can add somebody by itself. */
const PATIENCE_MS = 4_000
/** How long the phone takes to store how many places are used, in ms, after a sync. */
const STORE_MS = 250

/** Whether this phone can add somebody without the server now. */
export function canAddAlone({ walkIns, canPersist }: Pick<Door, 'walkIns' | 'canPersist'>): boolean {
  return canPersist && walkIns !== null && placesLeft(walkIns) !== 0
}

/**
 * Whether the server left places to this phone, as far as it has said. Just after somebody was added, the phone may count a place too many,
 * until the server has said again how many are used.
 */
function hasPlaceByServer({ walkIns, canPersist }: Pick<Door, 'walkIns' | 'canPersist'>): boolean {
  return canPersist && walkIns !== null && placesLeft({ ...walkIns, made: walkIns.quota.used }) !== 0
}

/** Whether this phone can add somebody without the server, once it has asked how many of its places are used. */
async function knowsOfPlace(door: Door): Promise<boolean> {
  for (let tries = 0; tries < 3 && !canAddAlone(door) && hasPlaceByServer(door); tries++) {
    await within(PATIENCE_MS, syncNow(door))
    // What the server said is stored first.
    await pause(STORE_MS)
  }
  return canAddAlone(door)
}

/**
 * Adds somebody at the door: with the server when it answers in time, otherwise on a place that this phone keeps. Null when they are in
 * already: then it is sent later with the same key, so that they are added once.
 */
export async function saveAtDoor(door: Door, wish: Wish): Promise<Registration | null> {
  const isOffline = door.connection === 'offline'
  if (isOffline && isCounted(wish)) throw new Refusal('UNAVAILABLE', { msg: walkInTexts.countedNeedsNetwork })
  const isAlone = () => canAddAlone(door) && !isCounted(wish)
  if (!isOffline || !isAlone()) {
    const background = !isCounted(wish) && (canAddAlone(door) || hasPlaceByServer(door))
    const asked = call(attendeeApi.save, { payload: wish }, { quiet: true, background })
    const answered = asked.then(() => true, isRefused)
    let isAnswered = await within(PATIENCE_MS, answered)
    while (isAnswered === null && !isAlone()) isAnswered = await within(PATIENCE_MS, answered)
    if (isAnswered || !isAlone()) {
      try {
        return await asked
      } catch (error) {
        // The last places may be those that this phone keeps.
        const isFull = error instanceof Refusal && error.code === 'SOLD_OUT'
        if (!isFull || !door.walkIns?.quota.isLimited || !(await knowsOfPlace(door))) throw error
        await addOnKeptPlace(door, wish)
        return null
      }
    }
  }
  checkWish(wish)
  await countOne(door, async () => {
    const shown = { ticketId: 0, name: wish.registrationData.name, state: 'in' as const }
    await enqueue(door, { act: actOf(wish), scanId: newId(), shown })
  })
  if (door.connection === 'online') void sendQueue(door).catch(() => {})
  return null
}

/** Corrects somebody whom this phone has added and the server did not accept, and sends them again. */
export async function correctStuck(door: Door, entry: QueueEntry, wish: Wish): Promise<null> {
  checkWish(wish)
  // With the key that they were added with, so that they are not added twice.
  const idempotencyKey = entry.act.kind === 'walk-in' ? entry.act.idempotencyKey : wish.idempotencyKey
  await renameRecent(door, entry.scanId, wish.registrationData.name)
  await sendStuckAgain(door, entry, actOf({ ...wish, idempotencyKey })).catch(() => {})
  return null
}

/** Adds somebody with the server, on a place that only this phone has. */
async function addOnKeptPlace(door: Door, wish: Wish): Promise<void> {
  await countOne(door, async () => {
    const answer = await askServer(door, actOf(wish), newId())
    if (answer === null) throw new Refusal('UNAVAILABLE')
    if (answer.code === null) return
    throw new Refusal(isRefusalCode(answer.code) ? answer.code : 'NOT_FOUND', { msg: () => answer.msg })
  })
  void syncNow(door)
}

/**
 * Counts a place as used, and then does the work. In this order: a crash in between loses a place until there is network, and never gives
 * one twice.
 */
async function countOne(door: Door, work: () => Promise<void>): Promise<void> {
  setAdding(door, 1)
  try {
    if (door.isGone) throw new Refusal('UNAVAILABLE', { msg: texts.eventGone })
    if (door.walkIns?.quota.isLimited) {
      const counted = await changeWalkIns(door.eventId, (stored) =>
        stored && placesLeft(stored) !== 0 ? { ...stored, made: stored.made + 1 } : null,
      )
      if (!counted) throw new Refusal('SOLD_OUT', { msg: walkInTexts.noPlaceOnPhone })
      setWalkIns(door, counted)
    }
    await work()
  } catch (error) {
    if (error instanceof Refusal) throw error
    setCanPersist(door, false)
    throw new Refusal('UNAVAILABLE', { msg: texts.cannotNote })
  } finally {
    setAdding(door, -1)
    emit(door)
  }
}

function actOf({ registrationData, ticketTypeId, extrasIds = [], idempotencyKey }: Wish): QueuedScan['act'] {
  const type = ticketTypeId === undefined ? {} : { ticketTypeId }
  return { kind: 'walk-in', registrationData, ...type, extrasIds, idempotencyKey }
}

/** Refuses what the server would refuse later, by the same rules. */
function checkWish(wish: Wish): void {
  const { eventId, ticketTypeId, registrationData } = wish
  const { questions = [], types = [] } = shownForm(eventId)
  const type = onSale(types).find(({ id }) => id === ticketTypeId) ?? onSale(types)[0]
  const wrong = validateAnswers(questionsFor(questions, type?.id), registrationData.others)
  const answers = wrong.map(({ path, msg }) => ({ path: `payload.registrationData.${path}`, msg }))
  const fields = [...unreadable(wish), ...answers]
  if (fields.length > 0) throw new Refusal('INVALID_INPUT', { fields })
}

function unreadable(wish: Wish): Refusal['fields'] {
  try {
    toRequest(attendeeApi.save, { payload: wish })
    return []
  } catch (error) {
    if (error instanceof Refusal) return error.fields
    throw error
  }
}

/** Whether there is only so much of the ticket or of a voucher, or that is not known: this phone does not know how much is left. */
function isCounted({ eventId, ticketTypeId, extrasIds = [] }: Wish): boolean {
  const { types, extras } = shownForm(eventId)
  if (!types || !extras) return true
  const type = onSale(types).find(({ id }) => id === ticketTypeId) ?? onSale(types)[0]
  const isLimited = extras.some(({ id, maxQuantity }) => maxQuantity !== null && extrasIds.includes(id))
  return isLimited || type === undefined || type.maxQuantity !== null
}
