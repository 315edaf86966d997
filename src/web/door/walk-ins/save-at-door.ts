import { attendeeApi } from '../../../contract/attendees.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { isRefused, Refusal } from '../../../contract/errors.ts'
import { visitorExtrasApi } from '../../../contract/extras.ts'
import type { Registration } from '../../../contract/registrations.ts'
import { onSale, visitorTicketTypeApi } from '../../../contract/ticket-type.ts'
import * as texts from '../../../texts/generated/door.ts'
import { call } from '../../api/call.ts'
import { query } from '../../api/query.ts'
import { queryClient } from '../../api/query-client.ts'
import { newId } from '../../new-id.ts'
import { type Door, emit, setCanPersist, setWalkIns } from '../phone/door.ts'
import { within } from '../phone/pause.ts'
import { enqueue } from '../phone/queue.ts'
import { sendQueue } from '../phone/send-queue.ts'
import { writeWalkIns } from './walk-in-store.ts'
import { placesLeft } from './walk-ins.ts'

type Wish = Input<typeof attendeeApi.save>['payload'] & { idempotencyKey: string }

/** How long the server is waited for, in ms, where the phone can add somebody by itself. */
const PATIENCE_MS = 4_000

/** Whether this phone can add somebody without the server now. */
export function canAddAlone({ walkIns, canPersist }: Pick<Door, 'walkIns' | 'canPersist'>): boolean {
  return canPersist && walkIns !== null && placesLeft(walkIns) !== 0
}

/**
 * Adds somebody at the door: with the server when it answers in time, otherwise on a place that this phone keeps. Null for the latter: they
 * are in, and it is sent later with the same key, so that they are added once.
 */
export async function saveAtDoor(door: Door, wish: Wish): Promise<Registration | null> {
  if (!canAddAlone(door)) return call(attendeeApi.save, { payload: wish })
  if (door.connection !== 'offline') {
    const asked = call(attendeeApi.save, { payload: wish }, { quiet: true, background: true })
    const isAnswered = await within(
      PATIENCE_MS,
      asked.then(
        () => true,
        // The last places may be those that this phone keeps.
        (error: unknown) => isRefused(error) && error.code !== 'SOLD_OUT',
      ),
    )
    if (isAnswered) return asked
  }
  await addAlone(door, wish)
  return null
}

async function addAlone(door: Door, { eventId, registrationData, ticketTypeId, extrasIds, idempotencyKey }: Wish) {
  if (isCounted(eventId, ticketTypeId, extrasIds ?? []))
    throw new Refusal('UNAVAILABLE', { msg: texts.countedNeedsNetwork })
  const { walkIns } = door
  if (!walkIns || !canAddAlone(door)) throw new Refusal('SOLD_OUT', { msg: texts.noPlaceOnPhone })
  try {
    if (walkIns.quota.isLimited) {
      const counted = { ...walkIns, made: walkIns.made + 1 }
      setWalkIns(door, counted)
      // Before the person: a crash in between loses a place until there is network, and never gives one twice.
      await writeWalkIns(door.eventId, counted)
    }
    const type = ticketTypeId === undefined ? {} : { ticketTypeId }
    const act = { kind: 'walk-in' as const, registrationData, ...type, extrasIds: extrasIds ?? [], idempotencyKey }
    await enqueue(door, { act, scanId: newId(), shown: { ticketId: 0, name: registrationData.name, state: 'in' } })
  } catch {
    setCanPersist(door, false)
    emit(door)
    throw new Refusal('UNAVAILABLE', { msg: texts.cannotNote })
  }
  if (door.connection === 'online') void sendQueue(door).catch(() => {})
}

/** Whether there is only so much of the ticket or of a voucher: this phone does not know how much is left. */
function isCounted(eventId: number, ticketTypeId: number | undefined, extrasIds: readonly number[]): boolean {
  const types = queryClient.getQueryData(query(visitorTicketTypeApi.getTicketTypes, { eventId }).queryKey) ?? []
  const extras = queryClient.getQueryData(query(visitorExtrasApi.getExtras, { eventId }).queryKey) ?? []
  const sold = onSale(types)
  const type = sold.find(({ id }) => id === ticketTypeId) ?? sold[0]
  return (
    (type?.maxQuantity ?? null) !== null ||
    extras.some(({ id, maxQuantity }) => maxQuantity !== null && extrasIds.includes(id))
  )
}
