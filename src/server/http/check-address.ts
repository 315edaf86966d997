import { createServer } from 'node:net'
import { type Settings, WrongSettings } from '../settings.ts'

type Address = Pick<Settings, 'host' | 'port'>

/** Listens for a moment, so that a wrong HOST or a PORT in use is reported before the database is started. */
export async function checkAddress(address: Address): Promise<void> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ ...address, exclusive: true }, resolve)
    })
    await new Promise((resolve) => server.close(resolve))
  } catch (error) {
    throw cannotListen(address, error)
  }
}

/** The error for an address that cannot be listened on. */
export function cannotListen({ host, port }: Address, error: unknown): WrongSettings {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  if (code === 'EADDRINUSE')
    return new WrongSettings([`PORT ${port} is in use on ${host}: stop what listens there, or choose another PORT.`])
  if (code === 'EACCES')
    return new WrongSettings([`PORT ${port} is not allowed for this user: choose one of 1024 or more.`])
  return new WrongSettings([`HOST ${host} cannot be listened on (${code}): set it to an address of this machine.`])
}
