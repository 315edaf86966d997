import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { endpoints } from '../../src/contract/all-calls.ts'
import type { Endpoint, Input, Payload } from '../../src/contract/endpoint.ts'
import { failuresOf } from '../../src/contract/failures.ts'
import { fromAnswer, toRequest } from '../../src/contract/wire.ts'
import { makeActivity } from '../../src/server/activity.ts'
import { buildApp } from '../../src/server/app.ts'
import { composeMail } from '../../src/server/compose-mail.ts'
import { connect } from '../../src/server/db/connect.ts'
import type { Deps } from '../../src/server/deps.ts'
import { diskStore } from '../../src/server/images/disk-store.ts'
import { jobSteps } from '../../src/server/job-steps.ts'
import { workOnJobs } from '../../src/server/jobs/worker.ts'
import type { Mail, Mailer } from '../../src/server/mail/mailer.ts'
import { makeSender } from '../../src/server/mail/send-due.ts'
import { createTestDatabase } from './databases.ts'

export const BASE_URL = 'https://turnout.test'

export interface TestApp {
  deps: Deps
  url: string
  databaseUrl: string
  /** The folder where images are stored. */
  dataDir: string
  /** The mails that the mail server accepted. */
  sent: Mail[]
  clock: { now: Date }
  /** Starts a stand-in for another server process: the same database with its own app and pool. */
  another: () => Promise<TestApp>
  /** Makes a call as the web does, over HTTP; a refusal is thrown. */
  call: <E extends Endpoint>(endpoint: E, input: Input<E>, token?: string) => Promise<Payload<E>>
  /** The same, but returns the whole response. */
  raw: (
    endpoint: Pick<Endpoint, 'method' | 'path'>,
    body: unknown,
    headers?: Record<string, string>,
  ) => Promise<Response>
  /** Runs all pending background work, and sends the mails that are due. */
  finishMails: () => Promise<void>
  stop: () => Promise<void>
}

interface Options {
  databaseUrl?: string
  mailer?: Mailer
  stripe?: Deps['stripe']
  settings?: Partial<Deps['settings']>
  log?: Deps['log']
  /** Whether PostgreSQL may keep hot statements prepared, as by default. */
  isNaming?: boolean
}

/** The real app, listening on its own port, on a fresh database; only the clock and the mail server are stand-ins. */
export async function startApp(options: Options = {}): Promise<TestApp> {
  const database = options.databaseUrl ? null : await createTestDatabase()
  const databaseUrl = options.databaseUrl ?? database?.url ?? ''
  const db = connect(databaseUrl, { isNaming: options.isNaming ?? true })
  const sent: Mail[] = []
  const dataDir = mkdtempSync(join(tmpdir(), 'turnout-test-'))
  const clock = { now: new Date('2026-11-20T18:00:00.000Z') }
  const deps: Deps = {
    db,
    address: databaseUrl,
    mailer: options.mailer ?? { send: async (mail) => void sent.push(mail), close: () => {} },
    stripe: options.stripe ?? null,
    now: () => clock.now,
    images: diskStore(dataDir),
    dataDir,
    activity: makeActivity(),
    settings: {
      baseUrl: BASE_URL,
      trustProxy: true,
      signUp: true,
      clubImports: true,
      operatorName: null,
      operatorContact: null,
      mailFrom: 'Turnout <turnout@localhost>',
      smtpUrl: null,
      mailsPerMinute: null,
      limits: true,
      metricsToken: null,
      backups: true,
      localWebhooks: false,
      workers: 1,
      ...options.settings,
    },
    log: options.log ?? pino({ level: process.env.LOG_LEVEL ?? 'silent' }),
  }
  const sender = makeSender(deps, composeMail)
  const app = await buildApp(deps, { webDir: null, isServing: () => true })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo // A TCP server's address is never the text of a pipe.
  const url = `http://127.0.0.1:${port}`
  const others: TestApp[] = []

  async function call<E extends Endpoint>(endpoint: E, input: Input<E>, token?: string): Promise<Payload<E>> {
    const { method, url: path, body } = toRequest(endpoint, input)
    const response = await send(url + path, method, body, token ? { authorization: `Bearer ${token}` } : {})
    return fromAnswer(endpoint, response.status, await response.json()).payload
  }

  return {
    deps,
    url,
    databaseUrl,
    dataDir,
    sent,
    clock,
    call,
    another: async () => {
      const other = await startApp({ databaseUrl, stripe: deps.stripe, settings: deps.settings })
      others.push(other)
      return other
    },
    raw: ({ method, path }, body, headers = {}) =>
      method === 'GET'
        ? send(`${url}${path}?${new URLSearchParams(asText(body))}`, method, null, headers)
        : send(url + path, method, typeof body === 'string' ? body : JSON.stringify(body), headers),
    finishMails: async () => {
      await workOnJobs(deps, jobSteps)
      while ((await sender.sendDue()) > 0);
    },
    stop: async () => {
      for (const other of others) await other.stop()
      await app.close()
      await db.destroy()
      await database?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function send(
  url: string,
  method: string,
  body: string | null,
  headers: Record<string, string>,
): Promise<Response> {
  const response = await fetch(url, {
    method,
    body,
    headers: { ...(body !== null && { 'content-type': 'application/json' }), ...headers },
  })
  if (!response.ok) await expectDeclared(`${method} ${new URL(url).pathname}`, response.clone())
  return response
}

const declared = new Map(
  endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, new Set<unknown>(failuresOf(endpoint))]),
)

/** The reference names each code with which a call can be refused: fails for one that the contract does not declare. */
async function expectDeclared(call: string, response: Response): Promise<void> {
  const answer: unknown = await response.json().catch(() => null)
  const code = typeof answer === 'object' && answer !== null && 'code' in answer ? answer.code : null
  if (declared.get(call)?.has(code) === false)
    throw new Error(`${call} was refused with ${code}, which the contract does not name in its \`refuses\`.`)
}

function asText(query: unknown): Record<string, string> {
  if (typeof query !== 'object' || query === null) return {}
  return Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)]))
}
