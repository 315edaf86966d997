import { type clubApi, newClub } from '../../contract/clubs.ts'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import * as fieldTexts from '../../texts/generated/fields.ts'
import type { Caller } from '../access/caller.ts'
import type { OwnClub } from '../access/own-club.ts'
import { logChange } from '../db/changes.ts'
import { differences, pick } from '../db/differences.ts'
import { omitUndefined } from '../db/omit-undefined.ts'
import type { ClubRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { saveWithImage } from '../images/save-with-image.ts'
import { lockClub } from '../records/club-queries.ts'
import { checkCurrency } from './check-currency.ts'
import { checkTimeZone } from './check-time-zone.ts'
import { insertClub, updateClub } from './queries.ts'

/** Adds a club, or edits the one proven; fields that an edit leaves out stay as they are. Refuses with EDIT_CONFLICT. */
export async function saveClub(
  deps: Deps,
  caller: Caller,
  club: OwnClub | null,
  { id: _, removeLogo = false, version, ...input }: Input<typeof clubApi.save>,
  upload: Buffer | null,
): Promise<ClubRow> {
  const { db, now } = deps
  const { name } = input
  if (!club && name === undefined)
    throw new Refusal('INVALID_INPUT', { fields: [{ path: 'name', msg: fieldTexts.required }] })
  checkCurrency(input.currency)
  await checkTimeZone(db, input.timeZone)
  const image = { kind: 'club-logo' as const, field: 'logo', upload, clubId: caller.clubId, remove: removeLogo }
  return saveWithImage(deps, image, (stored) =>
    db.transaction().execute(async (tx) => {
      const before = club ? await lockClub(tx, club.id) : null
      if (club && !before) throw new Refusal('NOT_FOUND')
      if (before && version !== undefined && version !== before.version) throw new Refusal('EDIT_CONFLICT')
      const { descriptions } = input
      const fields = omitUndefined({
        ...input,
        logo: stored?.file,
        descriptions: descriptions && JSON.stringify(descriptions.filter(({ text }) => text !== '')),
      })
      const isChange = Object.keys(fields).length > 0
      const saved = !before
        ? await insertClub(tx, { ...newClub, descriptions: '[]', ...fields, name: name ?? '', createdAt: now() })
        : isChange
          ? await updateClub(tx, before.id, fields)
          : before
      if (isChange)
        await logChange(tx, now(), {
          clubId: saved.id,
          userId: caller.id,
          subject: 'club',
          subjectId: saved.id,
          ...(before
            ? { action: 'edited', ...editOf(before, saved) }
            : { action: 'added', after: pick(saved, ['name']) }),
        })
      return { saved, fileBefore: before?.logo ?? '' }
    }),
  )
}

/** What an edit changed: with values what the club's page shows of itself. */
function editOf(before: ClubRow, after: ClubRow) {
  const { isNone: _, ...changed } = differences(before, after, {
    shown: [
      'name',
      'location',
      'email',
      'phone',
      'website',
      'colour',
      'listed',
      'currency',
      'timeZone',
      'keepDays',
      'language',
      'languages',
    ],
    named: ['description', 'descriptions', 'logo'],
  })
  return changed
}
