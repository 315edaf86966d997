import * as z from 'zod/mini'
import * as texts from '../texts/generated/walkInInput.ts'
import { device, phoneQuota } from './door.ts'
import { api } from './endpoint.ts'
import { id, requiredLine } from './values/fields.ts'

/** The most places that one phone can keep. */
export const MOST_KEPT_PLACES = 1000

/**
 * The places that a phone at the door keeps for people who come without a ticket. Nobody else gets them, so that it can add people without
 * network and the event never has more than its places.
 */
export const walkInQuota = z.object({
  phoneId: z.string(),
  /** The phone's name when it was given them. */
  phoneName: z.string(),
  /** In all, and how many of them people have got, as far as the phone has told. */
  granted: z.int(),
  used: z.int(),
  /** How many it is to have in all: fewer than `granted` until the phone has confirmed that it keeps no more. */
  wanted: z.int(),
})
export type WalkInQuota = z.output<typeof walkInQuota>

const places = z.int({ error: texts.placesWhole }).check(z.minimum(0), z.maximum(MOST_KEPT_PLACES))

export const walkInApi = api({
  giveWalkInPlaces: {
    method: 'POST',
    path: '/api/checkin/giveWalkInPlaces',
    access: { who: 'admin', event: 'payload.eventId', needs: 'events' },
    refuses: ['NOT_FOUND', 'SOLD_OUT', 'EDIT_CONFLICT'],
    summary:
      'Let a phone at the door keep so many free places for people without a ticket. Fewer than before count once the phone has confirmed it.',
    input: z.strictObject({
      payload: z.strictObject({
        eventId: id,
        /** The id that the phone made up for itself, as `getBoard` has it. */
        phoneId: requiredLine(40),
        /** How many places it keeps that nobody has got yet. */
        places,
        /** `wanted` as the caller saw it: refused when somebody has changed it since. Left out, whatever it is now is replaced. */
        wanted: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000))),
        /** `used` as the caller saw it with `wanted`: a call that arrives again finds its own change, also when the phone has used more since. */
        used: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000))),
        /** The phone is lost: what it keeps beyond this is free at once, although it may have given it to people. */
        isLost: z.optional(z.boolean()),
      }),
    }),
    payload: walkInQuota,
  },
  confirmWalkInPlaces: {
    method: 'POST',
    path: '/api/checkin/confirmWalkInPlaces',
    access: { who: 'admin', event: 'payload.eventId', needs: 'walk-ins' },
    summary:
      'A phone confirms how many places it has in all, with those that it has given to people. More than it was given change nothing.',
    input: z.strictObject({
      payload: z.strictObject({ eventId: id, device, granted: z.int().check(z.minimum(0), z.maximum(1_000_000)) }),
    }),
    payload: phoneQuota,
  },
})
