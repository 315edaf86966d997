import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { ended, until } from '../support/serve.ts'
import { startProxy, type TcpProxy } from '../support/tcp-proxy.ts'

/** One node: its database, and what manages it. */
export interface Node {
  name: string
  process: ChildProcess
  /** Its ways to etcd, and the others' ways to its database. */
  toEtcd: TcpProxy
  toDatabase: TcpProxy
  postgresPort: number
  restPort: number
  dataDir: string
}

export interface Cluster {
  /** Through HAProxy, which leads to the primary. */
  databaseUrl: string
  nodes: readonly Node[]
  /** The node that holds the leader's key and takes writes; null while there is none, or more than one says so. */
  primary: () => Promise<Node | null>
  /** Resolves with the primary when there is one, both others receive its timeline, and one of them confirms its commits. */
  whole: () => Promise<Node>
  /** What each node says of itself, and the end of its log. */
  report: () => Promise<string>
  /** Starts the manager of a node whose processes were killed. */
  restart: (node: Node) => void
  stop: () => Promise<void>
}

const ETCD = 4101
const HAPROXY = 4130
const INTERRUPTS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** How long a process may take to stop, in ms. */
const STOP_MS = 10_000
const BIN = '/usr/lib/postgresql'
const PASSWORD = 'a password for this test alone'

/**
 * The version of etcd's API that Patroni has to use. Before 3.0.3 (patroni/patroni#2689), a primary that was paused takes
 * the lock over version 3 from the one that replaced it, and what that one had acknowledged is lost.
 */
function safeApi(): 'etcd' | 'etcd3' {
  const version = execFileSync('patroni', ['--version'], { encoding: 'utf8' }).trim().split(' ').at(-1) ?? ''
  const isOld = version.localeCompare('3.0.3', 'en', { numeric: true }) < 0
  console.log(`Patroni ${version} with etcd's API version ${isOld ? 2 : 3}`)
  return isOld ? 'etcd' : 'etcd3'
}

/** What Patroni says of a node; a primary names the nodes that receive its log. */
const State = z.object({
  state: z.string(),
  timeline: z.number().optional(),
  replication: z
    .array(z.object({ application_name: z.string(), state: z.string(), sync_state: z.string() }))
    .default([]),
})

/** Whether both others receive the primary's log on its timeline, and one of them confirms its commits. */
function areTogether(primary: string, states: readonly ({ name: string } & Partial<z.infer<typeof State>>)[]): boolean {
  const { timeline, replication = [] } = states.find(({ name }) => name === primary) ?? {}
  const others = states.filter(({ name }) => name !== primary)
  const streaming = replication.filter(({ state }) => state === 'streaming')
  return (
    others.every(
      (other) =>
        other.timeline === timeline && streaming.some(({ application_name }) => application_name === other.name),
    ) && streaming.some(({ sync_state }) => sync_state === 'sync')
  )
}

/** Asks a node's Patroni; null when it does not answer. */
function ask(restPort: number, path: string): Promise<Response | null> {
  return fetch(`http://127.0.0.1:${restPort}/${path}`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
}

/** Three PostgreSQL nodes with synchronous replication under Patroni, with etcd and HAProxy, all on loopback. Needs root and Debian's packages. */
export async function startCluster(): Promise<Cluster> {
  const dir = mkdtempSync(join(tmpdir(), 'turnout-ha-'))
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
  if (uid === undefined || gid === undefined) throw new Error('There is no user postgres.')
  chownSync(dir, uid, gid)
  const version =
    readdirSync(BIN)
      .sort((a, b) => Number(a) - Number(b))
      .at(-1) ?? ''
  const api = safeApi()
  const children: ChildProcess[] = []
  const run = (command: string, args: string[], log: string) => {
    // A group of its own, so that all its processes can be signalled together.
    const child = spawn('sh', ['-c', `exec "$0" "$@" >> ${join(dir, log)} 2>&1`, command, ...args], {
      uid,
      gid,
      cwd: dir,
      env: { PATH: process.env.PATH, HOME: dir, LC_ALL: 'C.UTF-8' },
      detached: true,
      stdio: 'ignore',
    })
    children.push(child)
    return child
  }
  const nodes: Node[] = []
  const killAll = () => {
    for (const child of children.filter(isRunning)) signalGroup(child, 'SIGKILL')
    for (const node of nodes) for (const pid of postgresOf(node)) kill(pid, 'SIGKILL')
  }
  // A run that is interrupted leaves nothing behind that the next one finds on its ports.
  const interrupted = (signal: NodeJS.Signals) => {
    killAll()
    process.kill(process.pid, signal)
  }
  for (const signal of INTERRUPTS) process.once(signal, interrupted)
  const orphaned = () => interrupted('SIGTERM')
  process.once('disconnect', orphaned)
  process.once('exit', killAll)
  const stop = async () => {
    for (const { toEtcd, toDatabase } of nodes) {
      toEtcd.set('pass')
      toDatabase.set('pass')
    }
    for (const child of children.filter(isRunning).reverse()) {
      signalGroup(child, 'SIGCONT')
      await Promise.race([ended(child, 'SIGTERM'), wait(STOP_MS, undefined, { ref: false })])
    }
    killAll()
    process.off('exit', killAll)
    process.off('disconnect', orphaned)
    for (const signal of INTERRUPTS) process.off(signal, interrupted)
    for (const { toEtcd, toDatabase } of nodes) await Promise.all([toEtcd.stop(), toDatabase.stop()])
    if (process.env.HA_KEEP === undefined) rmSync(dir, { recursive: true, force: true })
  }
  const start = async () => {
    run(
      'etcd',
      [
        ...['--data-dir', join(dir, 'etcd'), '--listen-client-urls', `http://127.0.0.1:${ETCD}`],
        ...[
          '--advertise-client-urls',
          `http://127.0.0.1:${ETCD}`,
          '--listen-peer-urls',
          `http://127.0.0.1:${ETCD + 1}`,
        ],
        ...[
          '--initial-advertise-peer-urls',
          `http://127.0.0.1:${ETCD + 1}`,
          '--initial-cluster',
          `default=http://127.0.0.1:${ETCD + 1}`,
        ],
        ...(api === 'etcd' ? ['--enable-v2'] : []),
      ],
      'etcd.log',
    )
    await until(
      async () => (await fetch(`http://127.0.0.1:${ETCD}/health`).catch(() => null))?.ok === true,
      30_000,
      'etcd answers',
    )

    writeFileSync(
      join(dir, 'make-database.sh'),
      `psql "$1" -v ON_ERROR_STOP=1 -c "create role turnout login password '${PASSWORD}'" -c 'create database turnout owner turnout'\n`,
    )
    for (const n of [1, 2, 3]) {
      const [postgresPort, restPort] = [4110 + n, 4120 + n]
      const toEtcd = await startProxy({ port: ETCD })
      const toDatabase = await startProxy({ port: postgresPort })
      const name = `node${n}`
      const dataDir = join(dir, name)
      const config = join(dir, `${name}.json`)
      writeFileSync(
        config,
        JSON.stringify(patroniConfig({ name, dataDir, dir, version, api, postgresPort, restPort, toEtcd, toDatabase })),
      )
      nodes.push({
        name,
        process: run('patroni', [config], `${name}.log`),
        toEtcd,
        toDatabase,
        postgresPort,
        restPort,
        dataDir,
      })
    }
    mkdirSync(join(dir, 'haproxy'))
    const proxyConfig = join(dir, 'haproxy.cfg')
    writeFileSync(proxyConfig, haproxyConfig(nodes))
    run('haproxy', ['-db', '-f', proxyConfig], 'haproxy.log')
  }
  try {
    await start()
  } catch (error) {
    await stop()
    throw error
  }

  const stateOf = async ({ name, restPort }: Node) => {
    const answer = await ask(restPort, 'patroni')
    const parsed = State.safeParse(await answer?.json().catch(() => null))
    return { name, ...(parsed.data ?? { state: 'no answer' }) }
  }

  const cluster: Cluster = {
    databaseUrl: `postgres://turnout:${encodeURIComponent(PASSWORD)}@127.0.0.1:${HAPROXY}/turnout`,
    nodes,
    primary: async () => {
      const isPrimary = await Promise.all(nodes.map(async ({ restPort }) => (await ask(restPort, 'primary'))?.ok))
      const primaries = nodes.filter((_, n) => isPrimary[n])
      return primaries.length === 1 ? (primaries[0] ?? null) : null
    },
    whole: async () => {
      const found: Node[] = []
      const isWhole = async () => {
        const primary = await cluster.primary()
        if (!primary || !areTogether(primary.name, await Promise.all(nodes.map(stateOf)))) return false
        found.push(primary)
        return true
      }
      await until(isWhole, 300_000, 'all three nodes are together again', 500)
      return found[0] ?? Promise.reject(new Error('There is no primary.'))
    },
    report: async () => {
      const states = await Promise.all(nodes.map(stateOf))
      const ends = nodes.map(({ name }) => {
        const lines = readFileSync(join(dir, `${name}.log`), 'utf8')
          .trimEnd()
          .split('\n')
        return [`--- ${name}`, ...lines.slice(-30)].join('\n')
      })
      return [...states.map((state) => JSON.stringify(state)), ...ends].join('\n')
    },
    restart: (node) => {
      node.process = run('patroni', [join(dir, `${node.name}.json`)], `${node.name}.log`)
    },
    stop,
  }
  return cluster
}

interface NodeConfig extends Omit<Node, 'process'> {
  dir: string
  version: string
  api: 'etcd' | 'etcd3'
}

function patroniConfig({ name, dataDir, dir, version, api, postgresPort, restPort, toEtcd, toDatabase }: NodeConfig) {
  const user = (username: string) => ({ username, password: PASSWORD })
  return {
    scope: 'turnout',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    // As a proxy, so that it does not ask etcd for its own address and pass by what can be cut.
    [api]: { hosts: [`127.0.0.1:${toEtcd.port}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        // Nothing is acknowledged that is on one machine alone.
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 100,
            wal_level: 'replica',
            hot_standby: 'on',
            max_wal_senders: 10,
            wal_keep_size: '512MB',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      post_bootstrap: `sh ${join(dir, 'make-database.sh')}`,
    },
    postgresql: {
      listen: `127.0.0.1:${postgresPort}`,
      // The others come by the proxy, which can be cut.
      connect_address: `127.0.0.1:${toDatabase.port}`,
      data_dir: dataDir,
      bin_dir: join(BIN, version, 'bin'),
      authentication: { superuser: user('postgres'), replication: user('replicator'), rewind: user('rewinder') },
      parameters: { unix_socket_directories: dir },
      basebackup: [{ checkpoint: 'fast' }],
      pg_hba: [
        'local all all trust',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
      ],
    },
  }
}

function haproxyConfig(nodes: readonly Node[]): string {
  const servers = nodes.map(
    ({ name, postgresPort, restPort }) =>
      `  server ${name} 127.0.0.1:${postgresPort} maxconn 90 check port ${restPort} inter 1s fall 2 rise 1 on-marked-down shutdown-sessions`,
  )
  return [
    'defaults',
    '  mode tcp',
    '  timeout connect 3s',
    '  timeout client 30m',
    '  timeout server 30m',
    '  timeout check 2s',
    'listen primary',
    `  bind 127.0.0.1:${HAPROXY}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    ...servers,
    '',
  ].join('\n')
}

/** The processes of a node's PostgreSQL. */
function postgresOf({ dataDir }: Node): number[] {
  let postmaster: number
  try {
    postmaster = Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10)
  } catch {
    return []
  }
  const children = readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const after = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? ''
      return Number(after.split(' ')[1]) === postmaster ? [Number(pid)] : []
    } catch {
      return []
    }
  })
  return [postmaster, ...children]
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) kill(-pid, signal)
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

/** Ends the node as a machine without power does. */
export function crash(node: Node): void {
  signalGroup(node.process, 'SIGKILL')
  for (const pid of postgresOf(node)) kill(pid, 'SIGKILL')
}

/** Stops all its processes for a while, as a machine that is swapping; the function lets them go on. */
export function pause(node: Node): () => void {
  const signal = (which: NodeJS.Signals) => {
    signalGroup(node.process, which)
    for (const pid of postgresOf(node)) kill(pid, which)
  }
  signal('SIGSTOP')
  // It may have begun processes while it was stopped.
  signal('SIGSTOP')
  return () => signal('SIGCONT')
}

/** Cuts the node off from etcd and the other nodes, but not from the servers of Turnout; the function ends that. */
export function partition({ toEtcd, toDatabase }: Node): () => void {
  for (const proxy of [toEtcd, toDatabase]) proxy.set('refuse')
  return () => {
    for (const proxy of [toEtcd, toDatabase]) proxy.set('pass')
  }
}
