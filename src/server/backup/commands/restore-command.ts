import { chooseDataDir, makeDataDir } from '../../data-dir.ts'
import { adoptImages, isEmptyStore, removeUnfinished, restoredFolder } from '../../images/adopt.ts'
import { diskStore } from '../../images/disk-store.ts'
import { s3Store } from '../../images/s3-store.ts'
import { readSettings } from '../../settings.ts'
import { WrongBackup } from '../file-format.ts'
import { checkBackup } from '../read-file.ts'
import { restoreBackup } from '../restore-backup.ts'
import { refuseNewer } from '../restore-rows.ts'
import { describeContents } from './describe-contents.ts'
import { openForRestore } from './open-database.ts'
import { runCommand } from './run-command.ts'

/** `npm run restore -- FILE`. */
await runCommand('restore', async (path, { say, signal }) => {
  const settings = readSettings(process.env)
  const dataDir = chooseDataDir(settings, say)
  // Before anything is made: a wrong file leaves nothing behind.
  const { header } = await checkBackup(path)
  refuseNewer(path, header)
  const { s3 } = settings
  if (s3 === null && !isEmptyStore(dataDir))
    throw new WrongBackup(
      `${dataDir} already holds an installation, or images of one. A backup is restored into an empty installation only: move that folder away, or set DATA_DIR to a new one.`,
    )
  makeDataDir(dataDir)
  const { address, close } = await openForRestore({ settings, dataDir, say })
  try {
    const openImages = async (id: string) => {
      if (s3 !== null) return s3Store(s3, id)
      removeUnfinished(dataDir)
      return diskStore(dataDir, restoredFolder(id))
    }
    const { id, rows, images, createdAt } = await restoreBackup({ address, openImages, path, signal })
    if (s3 === null) adoptImages(dataDir, id)
    say(`Restored ${describeContents(rows, images)}, as they were at ${createdAt}. Start the server as usual.`)
  } finally {
    await close()
  }
})
