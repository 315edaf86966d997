import { resolve } from 'node:path'
import { WrongSettings } from '../../settings.ts'
import { WrongBackup } from '../file-format.ts'

/** Where a command writes to, and what ends it. */
export interface Terminal {
  say: (line: string) => void
  /** Aborted by Ctrl-C or SIGTERM. */
  signal: AbortSignal
}

/** Runs a command that works on one file, and ends the process: with 0, or with 1 and the reason in plain words. */
export async function runCommand(
  name: string,
  work: (path: string, terminal: Terminal) => Promise<void>,
): Promise<void> {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => stopping.abort(new Error('It was stopped.')))
  const [file, ...more] = process.argv.slice(2)
  try {
    if (!file || more.length > 0 || file.startsWith('-'))
      throw new WrongBackup(`Name one file: npm run ${name} -- FILE`)
    await work(resolve(file), { say: (line) => process.stdout.write(`${line}\n`), signal: stopping.signal })
    process.exit(0)
  } catch (error) {
    for (const line of reasonsOf(name, error, stopping.signal)) process.stderr.write(`${line}\n`)
    process.exit(1)
  }
}

function reasonsOf(name: string, error: unknown, signal: AbortSignal): readonly string[] {
  if (error instanceof WrongSettings) return error.faults
  if (error instanceof WrongBackup) return [error.message]
  const cause: unknown = signal.aborted ? signal.reason : error
  return [`The ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`]
}
