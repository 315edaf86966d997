import type { Field } from './fields.ts'
import type { MovedIds } from './moved-ids.ts'

/** A table of which a club's file has rows. */
export interface ClubTable {
  /** As the file calls it. */
  name: string
  /** The table that they are stored in, if it has another name. */
  into?: string
  /** The columns in the file. */
  columns: Readonly<Record<string, Field>>
  /** Adds what the file does not have, or changes what is stored otherwise. */
  complete?: (row: Record<string, unknown>, where: { clubId: number; ids: MovedIds }) => Record<string, unknown> | null
}
