import type { MailRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Claimed } from './claim-queries.ts'
import type { Mail } from './mailer.ts'

/** A mail's words, before it has its id. */
export type Words = Omit<Mail, 'messageId'>

export interface Composed {
  /** Null when there is nothing left to tell. */
  mail: Mail | null
  /** The rows that the mail covers, and those that have nothing left to tell. */
  told: number[]
  dropped: number[]
}

/** Several rows combined into one mail, and which of them it covers; null for none. */
export type Together = { words: Words; told: readonly MailRow[] } | null

/** Writes the mail for a row of the queue and those joined to it, from the current data. */
export type Compose = (deps: Deps, claimed: Claimed) => Promise<Composed>
