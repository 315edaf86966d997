import { mkdirSync } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { composeMessage } from './compose-message.ts'
import type { Mailer } from './mailer.ts'

/** Without a mail server: each mail becomes an .eml file, whole or not at all, named by its message id. */
export function outboxMailer(dataDir: string, from: string): Mailer {
  const folder = join(dataDir, 'outbox')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return {
    send: async (mail) => {
      const { raw } = await composeMessage(from, mail)
      const path = join(folder, `${mail.messageId.replace(/[^\w.-]/g, '_')}.eml`)
      const file = await open(`${path}.part`, 'w', 0o600)
      try {
        await file.writeFile(raw)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(`${path}.part`, path)
    },
    close: () => {},
  }
}

/** Deletes the mails that were written before this; returns how many. A folder that is not there is empty. */
export async function sweepOutbox(dataDir: string, before: Date): Promise<number> {
  const folder = join(dataDir, 'outbox')
  const names = await readdir(folder).catch(() => [])
  let deleted = 0
  for (const name of names) {
    if (!/\.eml(\.part)?$/.test(name)) continue
    const path = join(folder, name)
    // Another server process may have deleted it just now.
    const found = await stat(path).catch(() => null)
    if (!found || found.mtime >= before) continue
    await rm(path, { force: true })
    deleted++
  }
  return deleted
}
