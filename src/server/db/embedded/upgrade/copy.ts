import type pg from 'pg'

/** What a copy from one database to another needs. */
export interface CopyWork {
  from: pg.ClientConfig
  /** A new database without tables. */
  to: pg.ClientConfig
  /** Receives messages for somebody who waits for the end. */
  tell: (line: string) => void
  signal: AbortSignal
}

/** Copies all of Turnout and compares it. Returns what else the old database has, in words. */
export type CopyDatabase = (work: CopyWork) => Promise<string[]>
