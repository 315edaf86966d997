import { Refusal } from '../../contract/errors.ts'
import type { Caller } from '../access/caller.ts'
import { logChange } from '../db/changes.ts'
import type { ClubRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { saveWithImage } from '../images/save-with-image.ts'
import { lockClub } from '../records/club-queries.ts'
import { updateClub } from './queries.ts'

interface Change {
  caller: Caller
  clubId: number
  /** The new picture; null for none. */
  upload: Buffer | null
  remove: boolean
}

/** Replaces or removes the picture at the top of a club's page; with neither a picture nor `remove` nothing changes. */
export async function saveCover(deps: Deps, { caller, clubId, upload, remove }: Change): Promise<ClubRow> {
  const { db, now } = deps
  const image = { kind: 'event-banner' as const, field: 'cover', upload, clubId: caller.clubId, remove }
  return saveWithImage(deps, image, (stored) =>
    db.transaction().execute(async (tx) => {
      const before = await lockClub(tx, clubId)
      if (!before) throw new Refusal('NOT_FOUND')
      if (!stored) return { saved: before, fileBefore: before.cover }
      const saved = await updateClub(tx, clubId, { cover: stored.file })
      const what = { subject: 'club' as const, subjectId: clubId, action: 'edited', after: { fields: ['cover'] } }
      await logChange(tx, now(), { clubId, userId: caller.id, ...what })
      return { saved, fileBefore: before.cover }
    }),
  )
}
