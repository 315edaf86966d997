import type { ColumnType, Generated } from 'kysely'

export interface ChangeTable {
  id: Generated<number>
  at: Date
  clubId: number | null
  /** Null when a visitor or the server itself did it. It stays when they leave the team: see `FormerUserTable`. */
  userId: number | null
  subject: 'registration' | 'checkin' | 'event' | 'club' | 'user' | 'form' | 'page' | 'extras'
  subjectId: number
  action: string
  before: ColumnType<unknown, string, string> | null
  after: ColumnType<unknown, string, string> | null
  /** The name of the API token with which they did it; null: without one. */
  tokenName: ColumnType<string | null, string | null | undefined, never>
  /** The event that a change with a user is about; set by a trigger. */
  eventId: Generated<number | null>
}

/** Work on a whole event or club, done in short transactions. The row is deleted when the work is finished. */
export interface JobTable {
  id: Generated<number>
  kind: 'call off event' | 'remove event' | 'remove club' | 'erase event'
  eventId: number | null
  clubId: number | null
  /** The last registration that was processed. */
  doneId: Generated<number>
  attempts: Generated<number>
  /** Why its last step failed, without personal data; null when it did not. */
  lastError: Generated<string | null>
  /** When its next step is due. */
  runAt: Date
  createdAt: Date
}

export interface PageTable {
  type: string
  body: string
  /** Null until it is rendered. */
  bodyHtml: string | null
  updatedAt: Date
}

/** One row: which installation this database belongs to. */
export interface InstallationTable {
  isOnly: Generated<boolean>
  id: Generated<string>
}

/** Image files that no row named at the last sweep. */
export interface ImageOrphanTable {
  name: string
  firstSeenAt: Date
}

/** One row: what became of the nightly backups. */
export interface BackupStateTable {
  isOnly: Generated<boolean>
  /** Since when there should be backups. */
  since: Generated<Date>
  /** When the next one is due; while one is made, when it is taken for lost. */
  nextAt: Generated<Date>
  goodAt: Date | null
  file: string | null
  bytes: number | null
  /** How the last good one was checked: restored into a database of its own, or read. */
  checked: 'restored' | 'read' | null
  /** Why the last try failed; null after a good one. */
  error: string | null
  /** A number drawn by the process whose turn it is; null when nobody makes one. */
  turn: Generated<string | null>
  /** The backups in object storage that this database has kept there; null while it has never removed one. */
  stored: Generated<string[] | null>
}
