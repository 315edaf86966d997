import { Refusal } from '../../contract/errors.ts'
import type { Caller } from '../access/caller.ts'
import { logChange } from '../db/changes.ts'
import type { ClubRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { removeImage } from '../images/make-image.ts'
import { deleteClub, listImagesOfClub, lockClub } from './queries.ts'

/** Removes a club with everything of it, files too. The log keeps that it was done, and by whom. */
export async function removeClub({ db, now, images }: Deps, caller: Caller, clubId: number): Promise<ClubRow> {
  const { club, files } = await db.transaction().execute(async (tx) => {
    const club = await lockClub(tx, clubId)
    if (!club) throw new Refusal('NOT_FOUND')
    const files = await listImagesOfClub(tx, clubId)
    await deleteClub(tx, clubId)
    // Without the club's id, which would take the row away with the club.
    const change = { clubId: null, userId: caller.id, subject: 'club' as const, subjectId: clubId, action: 'removed' }
    await logChange(tx, now(), change)
    return { club, files }
  })
  await removeImage(images, 'club-logo', club.logo)
  for (const photo of files.photos) await removeImage(images, 'user', photo)
  for (const banner of files.banners) await removeImage(images, 'event-banner', banner)
  return club
}
