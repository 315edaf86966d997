import type { Logger } from 'pino'
import { copyDatabase } from '../backup/copy-database.ts'
import { connect } from '../db/connect.ts'
import { type Embedded, openEmbedded } from '../db/embedded/embedded.ts'
import { migrate } from '../db/migrate.ts'
import type { Settings } from '../settings.ts'
import { LEAST_DATABASE_MS, type OpenedParts } from './opened-parts.ts'

interface Opening {
  settings: Pick<Settings, 'databaseUrl'>
  dataDir: string
  log: Logger
  opened: OpenedParts
  say: (line: string) => void
}

/** Opens the database of the settings, or the embedded one, and brings its schema up to date. Returns where it is. */
export async function openDatabase({
  settings,
  dataDir,
  log,
  opened,
  say,
}: Opening): Promise<string | Embedded['connection']> {
  const embedded = settings.databaseUrl === null ? await startEmbedded(dataDir, log, opened, say) : null
  const address = settings.databaseUrl ?? embedded?.connection ?? ''
  const db = connect(address, { onError: whenLost(log), isPatient: true })
  try {
    await migrate(db)
  } finally {
    await db.destroy()
  }
  if (embedded) stopWhenLost(embedded, opened.close)
  return address
}

/** Logs a connection that broke while it was idle. */
export const whenLost = (log: Logger) => (error: Error) =>
  log.warn({ message: error.message }, 'database connection lost')

/** The embedded database. A stop while it is still starting gives that up. */
async function startEmbedded(
  dataDir: string,
  log: Logger,
  opened: OpenedParts,
  say: Opening['say'],
): Promise<Embedded> {
  const givingUp = new AbortController()
  const opening = openEmbedded(dataDir, (line) => log.info(line), {
    tell: say,
    signal: givingUp.signal,
    copy: copyDatabase,
  })
  opened.add(async (stopBy) => {
    givingUp.abort()
    const embedded = await opening
    await embedded.stop(Math.max(LEAST_DATABASE_MS, stopBy - Date.now()))
  })
  return opening
}

/** Another process may take the data directory once our hold on it is gone: nothing may be written any more. */
function stopWhenLost({ lost }: Embedded, stop: () => Promise<void>): void {
  void lost.then(async (error) => {
    process.stderr.write(`Turnout stops: ${error.message}\n`)
    await stop().catch(() => {})
    process.exit(1)
  })
}
