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

const backupHealth = z.object({
  /** Whether the server makes one every night. */
  isOn: z.boolean(),
  /** Whether there should be a newer good one: the last is older than two days. */
  isLate: z.boolean(),
  /** Null before the first good one. */
  lastGoodAt: z.nullable(moment),
  /** How that one was checked: restored into a database of its own, or read as a whole. */
  checked: z.nullable(z.enum(['restored', 'read'])),
  /** Why the last try failed; null when it did not. */
  error: z.nullable(z.string()),
})

export const platformApi = api({
  getHealth: {
    method: 'GET',
    path: '/api/platform/getHealth',
    access: { who: 'sudo' },
    summary:
      'What the operator should know of the running platform: whether mail goes out, and how old the last backup is.',
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
      backup: backupHealth,
    }),
  },
})
