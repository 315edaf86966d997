import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { PRODUCT_VERSION } from '../../contract/version.ts'
import type { OwnClub } from '../access/own-club.ts'
import { withPatientDb } from '../db/connections/patient.ts'
import type { Tx } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { readImage } from '../images/read-image.ts'
import { timestamp } from '../sheets/times.ts'
import { newToken } from '../tokens.ts'
import { makeTurns } from '../turns.ts'
import { clubColumns } from './club-columns.ts'
import { listPictures, prepareExport, readRows } from './export-queries.ts'
import { CLUB, END, FORMAT, HEADER, type Header, PICTURE, type Picture } from './file-format.ts'
import { clubTables } from './tables.ts'

/** Each takes a connection of its own and writes to the disk. */
const inTurn = makeTurns({ mostWaiting: 8, mostWaitingOfOne: 1 })

/**
 * A club's file. It is written to the disk first, so that whoever fetches it slowly keeps no transaction open. Refuses with UNAVAILABLE or
 * TOO_MANY_TRIES while too many wait.
 */
export async function clubFile(
  deps: Deps,
  club: OwnClub,
  signal: AbortSignal,
): Promise<{ name: string; content: Readable }> {
  const end = await takeTurn(club, signal)
  const content = Readable.from(bytesOf(deps, club, signal))
  content.once('close', end)
  return { name: `Club-${club.id}-${timestamp(deps.now(), club.timeZone)}.turnout.gz`, content }
}

/** Waits for a turn; what it returns ends it. */
function takeTurn({ id }: OwnClub, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const work = () => new Promise<void>((end) => resolve(end))
    inTurn(work, { owner: `club ${id}`, signal }).catch(reject)
  })
}

async function* bytesOf(deps: Deps, club: OwnClub, signal: AbortSignal): AsyncGenerator<Buffer> {
  const path = join(tmpdir(), `turnout-${newToken()}`)
  const file = await open(path, 'wx+', 0o600)
  // Streams of the handle itself would keep it from being closed.
  const { fd } = file
  try {
    // It has no name any more, so that nothing is left whatever happens.
    await rm(path)
    await withPatientDb(deps.address, (own) =>
      own
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((tx) => {
          const lines = Readable.from(linesOf(deps, tx, club))
          return pipeline(lines, createGzip(), createWriteStream(path, { fd, autoClose: false }), { signal })
        }),
    )
    yield* createReadStream(path, { fd, start: 0, autoClose: false })
  } finally {
    await file.close()
  }
}

/** The lines of the file, in portions. */
async function* linesOf(deps: Deps, tx: Tx, club: OwnClub): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let count = 0
  const noted = (lines: readonly string[]) => {
    const text = lines.map((line) => `${line}\n`).join('')
    hash.update(text)
    count += lines.length
    return text
  }
  await prepareExport(tx)
  const header: Header = {
    format: FORMAT,
    version: PRODUCT_VERSION,
    exportedAt: deps.now().toISOString(),
    from: deps.settings.baseUrl,
    clubId: club.id,
  }
  yield noted([JSON.stringify([HEADER, header])])
  for (const { name, kind } of await listPictures(tx, club.id)) {
    const content = await readImage(deps, { kind, file: name })
    const picture: Picture | null = content && { name, kind, content: content.toString('base64') }
    if (picture) yield noted([JSON.stringify([PICTURE, picture])])
  }
  for await (const rows of readRows(tx, 'clubs', Object.keys(clubColumns), club.id))
    yield noted(rows.map((row) => `["${CLUB}",${row}]`))
  for (const { name, columns } of clubTables)
    for await (const rows of readRows(tx, name, Object.keys(columns), club.id))
      yield noted(rows.map((row) => `["${name}",${row}]`))
  yield `${JSON.stringify([END, { lines: count, sha256: hash.digest('hex') }])}\n`
}
