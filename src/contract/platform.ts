import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { moment } from './values/fields.ts'

/** Why no mail goes out just now. */
const mailPause = z.object({
  /** The mail server's message, without e-mail addresses. */
  reason: z.string(),
  since: moment,
  tryAgainAt: moment,
})

export const platformApi = api({
  getHealth: {
    method: 'GET',
    path: '/api/platform/getHealth',
    access: { who: 'sudo' },
    summary: 'What the operator should know of the running platform: whether mail goes out.',
    input: z.strictObject({}),
    payload: z.object({
      mail: z.object({
        /** Null while mail goes out. */
        paused: z.nullable(mailPause),
        /** How many mails are queued and how many failed, up to 100,000 each. */
        queued: z.int(),
        failed: z.int(),
        /** When the oldest mail that waits was queued; null when none waits. */
        oldestQueuedAt: z.nullable(moment),
      }),
    }),
  },
})
