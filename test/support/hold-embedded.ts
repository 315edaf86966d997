import { createInterface } from 'node:readline'
import { openEmbedded } from '../../src/server/db/embedded/embedded.ts'

/**
 * A separate process that holds an embedded database: `node --import tsx hold-embedded.ts <data folder>`. It prints
 * one JSON line when the database is open, refused or lost, and stops in order when told to on its input.
 */
export type HolderLine =
  | { type: 'open'; connection: { host: string; user: string; database: string; password: string } }
  | { type: 'refused' | 'lost'; message: string }

const say = (line: HolderLine) => process.stdout.write(`${JSON.stringify(line)}\n`)

try {
  const embedded = await openEmbedded(process.argv[2] ?? '', (line) => process.stderr.write(`${line}\n`))
  say({ type: 'open', connection: embedded.connection })
  void embedded.lost.then(({ message }) => say({ type: 'lost', message }))
  for await (const line of createInterface({ input: process.stdin })) if (line === 'stop') break
  await embedded.stop()
  process.exit(0)
} catch (error) {
  say({ type: 'refused', message: error instanceof Error ? error.message : String(error) })
  process.exit(3)
}
