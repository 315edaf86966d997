import { type Address, inDatabase, withClient } from '../../db/on-client.ts'
import { beginImport, dropDatabase, dropLeftDatabases, makeDatabase } from '../import-queries.ts'
import { checkBackup } from '../read-file.ts'
import { restoreRows } from '../restore-rows.ts'

interface Wanted {
  address: Address
  path: string
  installationId: string | null
  /** Whose turn it is: what a server does that has lost its turn must not disturb the one that took it. */
  turn: string
  signal?: AbortSignal
}

/**
 * Restores a backup into a database of its own beside ours, which compares every table with the file, and removes that again. Where the user may not
 * make databases, the file is read as a whole instead. Throws when the backup is not good.
 */
export async function verifyBackup({
  address,
  path,
  installationId,
  turn,
  signal,
}: Wanted): Promise<'restored' | 'read'> {
  const ours = `turnout_check_${(installationId ?? '').replaceAll('-', '')}_`
  const name = ours + turn.slice(0, 8)
  return withClient(address, async (client) => {
    await dropLeftDatabases(client, ours)
    if (!(await makeDatabase(client, name))) {
      await checkBackup(path)
      return 'read'
    }
    try {
      const scratch = inDatabase(address, name)
      // Not committed: the database goes anyway.
      await withClient(
        scratch,
        async (other) => {
          await beginImport(other)
          await restoreRows(other, path, async () => {})
        },
        signal,
      )
      return 'restored'
    } finally {
      await dropDatabase(client, name)
    }
  })
}
