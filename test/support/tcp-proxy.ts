import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * How the proxy handles connections:
 * - `pass`: everything goes through.
 * - `refuse`: new and existing ones are closed at once.
 * - `hold`: nothing goes through in either direction; new ones are accepted and get no data.
 * - `forget`: existing ones get no more data; new ones pass. Like a firewall that has lost its state.
 * - a number: everything is delayed by this many ms in each direction.
 */
export type Fault = 'pass' | 'refuse' | 'hold' | 'forget' | number

export interface TcpProxy {
  port: number
  /** Sets the fault from now on. Held bytes go through with `pass`. */
  set: (fault: Fault) => void
  /** Closes every connection. */
  reset: () => void
  stop: () => Promise<void>
}

/** A proxy on loopback in front of a server that listens on a socket file or a port. */
export async function startProxy(target: { path: string } | { port: number }): Promise<TcpProxy> {
  let fault: Fault = 'pass'
  const pairs = new Set<{ sockets: [Socket, Socket]; isForgotten: boolean; held: (() => void)[] }>()

  const server = createServer((client) => {
    if (fault === 'refuse') return void client.destroy()
    const upstream = connect(target)
    const pair = { sockets: [client, upstream] as [Socket, Socket], isForgotten: false, held: [] as (() => void)[] }
    pairs.add(pair)
    const end = () => {
      if (pair.isForgotten) return
      client.destroy()
      upstream.destroy()
      pairs.delete(pair)
    }
    const pipe = (from: Socket, to: Socket) => {
      from.on('error', () => {})
      from.on('close', end)
      from.on('data', (bytes) => {
        const pass = () => void (to.destroyed || to.write(bytes))
        if (pair.isForgotten) return
        if (fault === 'hold') pair.held.push(pass)
        else if (typeof fault === 'number') setTimeout(pass, fault)
        else pass()
      })
    }
    pipe(client, upstream)
    pipe(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A TCP server's address is never the text of a pipe.

  const reset = () => {
    for (const { sockets } of pairs) for (const socket of sockets) socket.destroy()
    pairs.clear()
  }
  return {
    port,
    set: (next) => {
      fault = next
      if (next === 'refuse') reset()
      if (next === 'forget') for (const pair of pairs) pair.isForgotten = true
      if (next === 'hold') return
      for (const pair of pairs) for (const pass of pair.held.splice(0)) pass()
    },
    reset,
    stop: async () => {
      reset()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
