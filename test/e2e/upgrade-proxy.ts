import { createServer, request, type ServerResponse } from 'node:http'

/** A new version of the web app: the old one with a different entry script. */
interface Deployed {
  /** Whether its entry script arrives; the HTML always does. */
  hasParts: boolean
  /** A file of the old version that the new one does not use. */
  drops: string
  /** Whether the old version cannot read its answers about tickets and vouchers. */
  isUnreadable?: boolean
}

export interface UpgradeProxy {
  deploy: (next: Deployed | null) => void
  stop: () => Promise<void>
}

export const NEXT = '/assets/index-Next.js'

/** A proxy in front of a server that simulates an upgrade in the middle of a test. */
export async function startUpgradeProxy(port: number, behind: string): Promise<UpgradeProxy> {
  let deployed: Deployed | null = null
  let waiting: ServerResponse[] = []
  const html = await (await fetch(`${behind}/door`)).text()
  const entry = /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
  const server = createServer((asked, answer) => {
    const path = asked.url ?? '/'
    if (deployed && path === NEXT) {
      // A very weak network: the script never arrives.
      if (!deployed.hasParts) return void waiting.push(answer)
      return void answer.setHeader('content-type', 'text/javascript').end(`import '${entry}'`)
    }
    if (deployed?.isUnreadable && /^\/api\/registration\/get(Registration|Voucher)\b/.test(path))
      return void answer.setHeader('content-type', 'application/json').end('{"payload":{"version":2}}')
    // The browser's cached files must not count as current for the new version, as the unchanged server would say.
    const { 'if-none-match': _tag, 'if-modified-since': _since, ...rest } = asked.headers
    const headers = { ...rest, 'accept-encoding': 'identity' }
    const passed = request(`${behind}${path}`, { method: asked.method, headers }, (got) => {
      const chunks: Buffer[] = []
      got.on('data', (chunk: Buffer) => chunks.push(chunk))
      got.on('end', () => {
        const body = Buffer.concat(chunks)
        const { 'content-length': _, ...others } = got.headers
        answer.writeHead(got.statusCode ?? 502, others).end(deployed ? upgraded(path, body, deployed) : body)
      })
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  const upgraded = (path: string, body: Buffer, { drops }: Deployed): Buffer | string => {
    if (path.startsWith('/offline-files.json'))
      return body.toString().replaceAll(`"${entry}"`, `"${entry}","${NEXT}"`).replaceAll(`"${drops}",`, '')
    if (body.subarray(0, 15).toString().toLowerCase() === '<!doctype html>')
      return body.toString().replace(`src="${entry}"`, `src="${NEXT}"`)
    return body
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    deploy: (next) => {
      deployed = next
      for (const answer of waiting) answer.destroy()
      waiting = []
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
