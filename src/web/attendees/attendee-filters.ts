import { useSearchParams } from 'react-router'
import * as z from 'zod/mini'
import { sortOrders } from '../../contract/attendees.ts'
import { registrationStatus } from '../../contract/registrations.ts'

const search = z.object({
  q: z.catch(z.string(), ''),
  status: z.catch(z.optional(registrationStatus), undefined),
  checkin: z.catch(z.optional(z.enum(['true', 'false'])), undefined),
  redeemed: z.catch(z.optional(z.enum(['true', 'false'])), undefined),
  sort: z.catch(z.enum(sortOrders), 'registration'),
  open: z.catch(
    z.optional(z.codec(z.string().check(z.regex(/^\d+$/)), z.int(), { decode: Number, encode: String })),
    undefined,
  ),
})

export type AttendeeSearch = z.output<typeof search>

export function readSearch(params: URLSearchParams): AttendeeSearch {
  return z.parse(search, Object.fromEntries(params))
}

/** The list's filters and the row that is open, all in the address, so that they can be shared and Back restores them. */
export function useAttendeeSearch() {
  const [params, setParams] = useSearchParams()
  const current = readSearch(params)
  const change = (next: Partial<Record<keyof AttendeeSearch, string | number | undefined>>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(next)) {
          if (value === undefined || value === '') after.delete(name)
          else after.set(name, String(value))
        }
        return after
      },
      // Back leads from a panel to the list, however many attendees were viewed in it, and never to a closed panel.
      { replace: next.open === undefined || current.open !== undefined },
    )
  return { current, change }
}
