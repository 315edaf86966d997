import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Db } from '../db/schema.ts'
import { isDatabaseZone } from '../db/time-zones.ts'

/** Refuses with INVALID_INPUT a time zone that the database cannot count days in, where one is given. */
export async function checkTimeZone(db: Db, timeZone: string | undefined): Promise<void> {
  if (timeZone === undefined || (await isDatabaseZone(db, timeZone))) return
  const msg = texts.unknownTimeZone
  throw new Refusal('INVALID_INPUT', { fields: [{ path: 'timeZone', msg }] })
}
