import { randomUUID } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { clubFileApi, PART_BYTES } from '../../src/contract/club-files.ts'
import { END, HEADER } from '../../src/server/club-files/file-format.ts'
import { importWhenDue } from '../../src/server/club-files/import-when-due.ts'
import { hashOf } from '../../src/server/tokens.ts'
import type { TestApp } from './start-app.ts'

type Line = [kind: string, content: Record<string, unknown>]

/** Saves the file of a club. */
export async function exportClub(app: TestApp, clubId: number, token: string): Promise<Buffer> {
  const answer = await app.raw(clubFileApi.exportClub, { clubId }, { authorization: `Bearer ${token}` })
  if (answer.status !== 200) throw new Error(`The export answered ${answer.status}.`)
  return Buffer.from(await answer.arrayBuffer())
}

/** Sends a file for this club in parts, and waits until it is in or refused. */
export async function importClub(
  app: TestApp,
  clubId: number,
  token: string,
  file: Buffer,
  key: string = randomUUID(),
) {
  await sendClub(app, clubId, token, file, key)
  return finishImport(app, clubId, token)
}

/** Imports what waits; what became of the latest file of this club. */
export async function finishImport(app: TestApp, clubId: number, token: string) {
  while (await importWhenDue(app.deps));
  return (await app.call(clubFileApi.getImport, { clubId }, token)).latest
}

/** Sends a file for this club in parts. */
export async function sendClub(app: TestApp, clubId: number, token: string, file: Buffer, key: string = randomUUID()) {
  const parts = Math.ceil(file.length / PART_BYTES)
  await app.call(clubFileApi.startImport, { payload: { clubId, key, parts } }, token)
  for (let part = 0; part < parts; part++) {
    const content = file.subarray(part * PART_BYTES, (part + 1) * PART_BYTES).toString('base64')
    await app.call(clubFileApi.sendImportPart, { payload: { clubId, key, part, content } }, token)
  }
}

/** The lines of a file but its end. */
export function linesOf(file: Buffer): Line[] {
  const lines = gunzipSync(file).toString().trimEnd().split('\n')
  return lines.map((line): Line => JSON.parse(line)).filter(([kind]) => kind !== END)
}

/** A file of these lines, with an end that fits them. */
export function fileOf(lines: readonly Line[]): Buffer {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  return gzipSync(`${text}${JSON.stringify([END, { lines: lines.length, sha256: hashOf(text) }])}\n`)
}

const numbers = /(^|_)id$|_ids$/

/** The rows of a file by table, without what another server numbers anew, in the order of their text. */
export function contentOf(file: Buffer): Record<string, string[]> {
  const tables: Record<string, string[]> = {}
  for (const [kind, row] of linesOf(file)) {
    if (kind === HEADER || kind === 'moved_codes') continue
    const kept = Object.entries(row).map(([name, value]) => {
      // What the operator did has no name on the server that imports it.
      if (kind === 'changes' && name === 'user_id') return [name, 'somebody']
      if (numbers.test(name)) return [name, value === null ? null : Array.isArray(value) ? value.length : 'number']
      if (['logo', 'cover', 'banner', 'name'].includes(name) && /^[0-9a-f]{32}\.(jpg|png)$/.test(String(value)))
        return [name, 'picture']
      if (kind === 'picture' && name === 'content') return [name, 'bytes']
      return [
        name,
        JSON.parse(
          JSON.stringify(value).replace(/"(qId|ticketTypeId)":\d+|"(eventIds)":\[[\d,]*\]/g, '"$1$2":"numbers"'),
        ),
      ]
    })
    tables[kind] = [...(tables[kind] ?? []), JSON.stringify(Object.fromEntries(kept))]
  }
  for (const rows of Object.values(tables)) rows.sort()
  return tables
}
