import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { id, moment } from './values/fields.ts'

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

/** Work on a whole event or club that goes on in the background. */
const job = z.object({
  id,
  kind: z.enum(['call off event', 'remove event', 'remove club', 'erase event']),
  /** The event that it is about; null for a club. */
  eventName: z.nullable(z.string()),
  clubName: z.string(),
  startedAt: moment,
  /** How many registrations are still to be done, counted up to `MOST_COUNTED`. */
  left: z.int(),
  /** How often its next step has failed, why, and when it is tried again; null when it goes on. */
  failure: z.nullable(z.object({ attempts: z.int(), reason: z.string(), tryAgainAt: moment })),
})

/** How far the registrations of a job are counted. */
export const MOST_COUNTED = 100_000

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
  getStatus: {
    method: 'GET',
    path: '/api/platform/getStatus',
    access: { who: 'sudo' },
    summary:
      'How the server, its database, its disk and its connections to others are, and what it works on in the background.',
    input: z.strictObject({}),
    payload: z.object({
      server: z.object({
        version: z.string(),
        node: z.string(),
        startedAt: moment,
        /** In bytes. */
        memory: z.int(),
        /** How many server processes share the port; start and memory are those of the one that answers. */
        workers: z._default(z.int(), 1),
        /** Kinds of background work that have not got on for a minute. */
        stuck: z.array(z.string()),
      }),
      /** The address of its pages, as it is set. */
      baseUrl: z.string(),
      database: z.object({
        version: z.string(),
        /** In bytes. */
        size: z.int(),
        connections: z.int(),
        mostConnections: z.int(),
        /** Statements that have been running for more than a second, the longest first, with the id of their process; without their values. */
        slow: z.array(z.object({ pid: z.int(), seconds: z.int(), text: z.string() })),
      }),
      /** Of the disk with this server's files, in bytes; null where the system does not tell. */
      disk: z.nullable(z.object({ free: z.int(), total: z.int() })),
      mail: z.object({
        /** False where mails are only written into a folder. */
        isSent: z.boolean(),
        /** The latest mail that failed for good; null for none. */
        lastFailure: z.nullable(z.object({ at: moment, reason: z.string() })),
      }),
      /** Card payment; null where it is not set up. */
      stripe: z.nullable(
        z.object({
          isLive: z.boolean(),
          /** When Stripe last told something; null before that. */
          lastHeardAt: z.nullable(moment),
          /** How much of it is not handled yet. */
          waiting: z.int(),
        }),
      ),
      jobs: z.array(job),
    }),
  },
  sendTestMail: {
    method: 'POST',
    path: '/api/platform/sendTestMail',
    access: { who: 'sudo' },
    summary: "Send a mail to one's own address at once, and say what the mail server answered.",
    input: z.strictObject({}),
    payload: z.object({
      to: z.string(),
      /** Why the mail server did not take it, without e-mail addresses; null when it did. */
      failure: z.nullable(z.string()),
    }),
  },
  retryJob: {
    method: 'POST',
    path: '/api/platform/retryJob',
    access: { who: 'sudo' },
    refuses: ['NOT_FOUND'],
    summary: 'Try the next step of a job now. NOT_FOUND when it is done.',
    input: z.strictObject({ jobId: id }),
    payload: z.null(),
  },
})
