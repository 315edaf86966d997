import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Claimed } from './claim-queries.ts'
import type { Mail } from './mailer.ts'

/** A mail's words, before it has its id. */
export type Words = Omit<Mail, 'messageId'>

export interface Composed {
  /** Null when there is nothing to tell any more. */
  mail: Mail | null
  /** The rows that the mail stands for, and those that have nothing to tell any more. */
  told: number[]
  dropped: number[]
}

/** What several rows come to in one mail, and which of them it stands for; null for none. */
export type Together = { words: Words; told: readonly MailRow[] } | null

/** Writes the mail that a row of the queue and those with it stand for, as things are now. */
export type Compose = (deps: Deps, claimed: Claimed) => Promise<Composed>
