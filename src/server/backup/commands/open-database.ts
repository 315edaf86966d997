import { attachEmbedded, hasEmbedded } from '../../db/embedded/attach.ts'
import { openEmbedded } from '../../db/embedded/embedded.ts'
import type { Address } from '../../db/on-client.ts'
import type { Settings } from '../../settings.ts'
import { copyDatabase } from '../copy-database.ts'

export interface OpenDatabase {
  address: Address
  close: () => Promise<void>
}

interface Place {
  settings: Pick<Settings, 'databaseUrl'>
  dataDir: string
  say: (line: string) => void
}

/** The installation's database: an external one, that of a server that is running, or one that is started for this and stopped afterwards. */
export async function openExisting({ settings, dataDir, say }: Place): Promise<OpenDatabase> {
  if (settings.databaseUrl !== null) return external(settings.databaseUrl)
  if (!hasEmbedded(dataDir))
    throw new Error(`There is no installation in ${dataDir}: set DATA_DIR or DATABASE_URL as for the server.`)
  const running = await attachEmbedded(dataDir)
  return running ? external(running) : started(dataDir, say)
}

/** The database to restore into; an embedded one is made when there is none, and must not be in use. */
export async function openForRestore({ settings, dataDir, say }: Place): Promise<OpenDatabase> {
  return settings.databaseUrl === null ? started(dataDir, say) : external(settings.databaseUrl)
}

function external(address: Address): OpenDatabase {
  return { address, close: async () => {} }
}

async function started(dataDir: string, say: (line: string) => void): Promise<OpenDatabase> {
  const { connection, stop } = await openEmbedded(dataDir, () => {}, { tell: say, copy: copyDatabase })
  return { address: connection, close: () => stop() }
}
