import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import type { Served } from '../support/serve.ts'

/** The mails that a server wrote to its outbox, oldest first. */
export async function mailsOf({ dataDir }: Served) {
  const folder = join(dataDir, 'outbox')
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'))
  const sorted = names.map((name) => join(folder, name)).sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
  return Promise.all(sorted.map((path) => PostalMime.parse(readFileSync(path))))
}

export async function subjectsOf(served: Served): Promise<(string | undefined)[]> {
  return (await mailsOf(served)).map(({ subject }) => subject)
}
