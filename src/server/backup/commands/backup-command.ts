import { statSync } from 'node:fs'
import { chooseDataDir } from '../../data-dir.ts'
import { diskStore } from '../../images/disk-store.ts'
import { s3Store } from '../../images/s3-store.ts'
import { readSettings } from '../../settings.ts'
import { makeBackup } from '../make-backup.ts'
import { describeContents } from './describe-contents.ts'
import { openExisting } from './open-database.ts'
import { runCommand } from './run-command.ts'

/** `npm run backup -- FILE`. */
await runCommand('backup', async (path, { say, signal }) => {
  const settings = readSettings(process.env)
  const dataDir = chooseDataDir(settings, say)
  const { address, close } = await openExisting({ settings, dataDir, say })
  try {
    const { s3 } = settings
    const openImages = async (id: string) => (s3 === null ? diskStore(dataDir) : s3Store(s3, id))
    const { tables, images, missing } = await makeBackup({ address, openImages, path, signal })
    const rows = Object.fromEntries(Object.entries(tables).map(([name, content]) => [name, content.rows]))
    say(`Backed up ${describeContents(rows, images)}: ${path} (${megabytes(statSync(path).size)} MB)`)
    for (const name of missing) say(`Warning: the image ${name} has no file, so it is not in the backup.`)
  } finally {
    await close()
  }
})

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 2 : 0)
}
