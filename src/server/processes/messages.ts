import * as z from 'zod/mini'

/** The environment variable by which a server process knows that ours started it. */
export const WORKER = 'TURNOUT_WORKER'

const address = z.union([
  z.string(),
  z.object({ host: z.string(), user: z.string(), database: z.string(), password: z.string() }),
])

/** What the first process sends a server process that it has started. */
const start = z.object({
  type: z.literal('start'),
  /** The database, open and migrated. */
  address,
  dataDir: z.string(),
  /** Whether this process does what one does for all. */
  isFirst: z.boolean(),
  /** Whether it replaces one that ended, so that nothing is announced. */
  isAgain: z.boolean(),
})
export type StartMessage = z.output<typeof start>

const message = z.discriminatedUnion('type', [
  start,
  /** From a server process: it listens for what to do. */
  z.object({ type: z.literal('begun') }),
  /** From a server process: it takes requests. */
  z.object({ type: z.literal('serving') }),
  /** From a server process: it asks for the figures of all. They are null when not all of them answer. */
  z.object({ type: z.literal('metrics') }),
  z.object({ type: z.literal('metrics of all'), text: z.nullable(z.string()) }),
  /** From the first process: it asks for this one's own figures. */
  z.object({ type: z.literal('tell metrics') }),
  z.object({ type: z.literal('own metrics'), figures: z.array(z.looseObject({})) }),
])
export type Message = z.output<typeof message>

/** One of our messages; null for those that others send over the same channel. */
export function readMessage(received: unknown): Message | null {
  return z.safeParse(message, received).data ?? null
}
