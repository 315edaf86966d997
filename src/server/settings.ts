import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { MOST_CONNECTIONS, USUAL_CONNECTIONS } from './db/statement.ts'

/** Fewer would make visitors wait for the workers' statements. */
const LEAST_CONNECTIONS = 4
/** Each process needs connections, and the embedded database has 100. */
const MOST_WORKERS = 16

export interface Settings {
  port: number
  host: string
  /** Public address without a slash at its end. */
  baseUrl: string
  /** Null: `./data`, or where the embedded database can run. */
  dataDir: string | null
  /** Whether the server backs itself up every night. */
  backups: boolean
  /** Where these backups are kept; null for the folder `backups` in the data directory. */
  backupDir: string | null
  /** Whether they are kept in the object storage instead. */
  backupsInS3: boolean
  databaseUrl: string | null
  sudoEmail: string | null
  sudoPassword: string | null
  smtpUrl: string | null
  mailFrom: string
  /** How many mails all servers together send in a minute; null for no limit. */
  mailsPerMinute: number | null
  /** Whether clubs may sign themselves up. */
  signUp: boolean
  /** Whether owners may import the file of a club. Whoever does can have mail sent to the addresses in it. */
  clubImports: boolean
  /** The operator of this platform, for the static pages. */
  operatorName: string | null
  operatorContact: string | null
  /** Object storage for images; null for files in the data directory. */
  s3: { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string } | null
  /** Card payment; null where it is not set up. */
  stripe: { secretKey: string; publishableKey: string | null; webhookSecret: string; apiBase: string | null } | null
  /** Which proxies may set the client's address: all, none, a number of them, or these. */
  trustProxy: boolean | number | string[]
  /** Whether public calls are limited in number; `false` is for load tests. */
  limits: boolean
  /** Whether statements may be kept prepared in the database; not through a pooler that gives each transaction another connection. */
  preparedStatements: boolean
  /** How many connections to the database the server holds at most. */
  dbPool: number
  /** How many server processes share the port. */
  workers: number
  /** The token in `Authorization` with which `/metrics` can be read from anywhere; null: only loopback may read it. */
  metricsToken: string | null
  /** Whether webhooks may lead to this machine itself, also without TLS: for development. */
  localWebhooks: boolean
  logLevel: string
}

/** Thrown at start: one clear line for each setting that is wrong. */
export class WrongSettings extends Error {
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** How many connections each server process holds at most: all together hold those of `DB_POOL`. */
export function poolOf({ dbPool, workers }: Pick<Settings, 'dbPool' | 'workers'>): number {
  return Math.max(LEAST_CONNECTIONS, Math.floor(dbPool / workers))
}

/** `auto` is one for every two cores: the database needs the others. Null when it is neither that nor a number that is allowed. */
function readWorkers(text: string): number | null {
  if (text === 'auto') return Math.max(1, Math.min(MOST_WORKERS, Math.floor(availableParallelism() / 2)))
  const count = wholeNumber(text)
  return count === null || count < 1 || count > MOST_WORKERS ? null : count
}

type Env = Readonly<Record<string, string | undefined>>

/** Reads the settings from the environment; an empty variable counts as not set. */
export function readSettings(env: Env): Settings {
  const faults: string[] = []
  const text = (name: string) => env[name]?.trim() || null

  function url(name: string, protocols: readonly string[]): string | null {
    const value = text(name)
    if (value === null) return null
    const protocol = URL.canParse(value) ? new URL(value).protocol : ''
    if (protocols.includes(protocol)) return value
    faults.push(`${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`)
    return null
  }

  function readS3(): Settings['s3'] {
    const endpoint = url('S3_ENDPOINT', ['http:', 'https:'])
    const bucket = text('S3_BUCKET')
    const accessKeyId = text('S3_ACCESS_KEY_ID')
    const secretAccessKey = text('S3_SECRET_ACCESS_KEY')
    if (endpoint === null && bucket === null && accessKeyId === null && secretAccessKey === null) return null
    if (endpoint !== null && bucket !== null && accessKeyId !== null && secretAccessKey !== null)
      return { endpoint, bucket, region: text('S3_REGION') ?? 'us-east-1', accessKeyId, secretAccessKey }
    faults.push('S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together: set all or none.')
    return null
  }

  function readStripe(): Settings['stripe'] {
    const secretKey = text('STRIPE_SECRET_KEY')
    const webhookSecret = text('STRIPE_WEBHOOK_SECRET')
    const publishableKey = text('STRIPE_PUBLISHABLE_KEY')
    const apiBase = url('STRIPE_API_BASE', ['http:', 'https:'])
    if (secretKey === null && webhookSecret === null && publishableKey === null) return null
    if (secretKey !== null && webhookSecret !== null) return { secretKey, publishableKey, webhookSecret, apiBase }
    faults.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set both, or no STRIPE_ variable.')
    return null
  }

  function readBaseUrl(): string | null {
    const value = url('BASE_URL', ['http:', 'https:'])
    if (value === null) return null
    const { origin, username, password, pathname } = new URL(value)
    if (username === '' && password === '' && pathname === '/' && !/[?#]/.test(value)) return origin
    faults.push('BASE_URL must have nothing behind the host and port: https://tickets.example.org.')
    return null
  }

  function readSmtpUrl(): string | null {
    const value = url('SMTP_URL', ['smtp:', 'smtps:'])
    if (value !== null && new URL(value).hostname === '')
      faults.push('SMTP_URL must name the mail server: smtp://mail.example.org:587.')
    return value
  }

  const port = wholeNumber(text('PORT') ?? '3000')
  if (port === null || port > 65_535) faults.push('PORT must be a number from 0 to 65535.')
  const sudoEmail = text('SUDO_EMAIL')
  if (sudoEmail !== null && !/^[^\s@]+@[^\s@]+$/.test(sudoEmail)) faults.push('SUDO_EMAIL must be an e-mail address.')
  const sudoPassword = text('SUDO_PASSWORD')
  if (sudoPassword !== null && !(sudoPassword.length >= 8 && /\d/.test(sudoPassword)))
    faults.push('SUDO_PASSWORD must have 8 or more characters and at least one digit.')
  if (sudoPassword !== null && sudoEmail === null) faults.push('SUDO_PASSWORD needs SUDO_EMAIL.')
  const mailFrom = text('MAIL_FROM') ?? 'Turnout <turnout@localhost>'
  if (!isSender(mailFrom))
    faults.push('MAIL_FROM must be a sender like club@example.org or "My club" <club@example.org>.')

  const trustProxy = readTrustProxy(text('TRUST_PROXY'))
  if (trustProxy === null)
    faults.push('TRUST_PROXY must be off, on, a number of proxies, or their addresses with commas between.')
  const logLevel = text('LOG_LEVEL') ?? 'warn'
  if (!['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(logLevel))
    faults.push('LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent.')
  const mailsPerMinute = wholeNumber(text('MAIL_PER_MINUTE') ?? '600')
  if (mailsPerMinute === null || mailsPerMinute < 10 || mailsPerMinute > 1_000_000)
    faults.push('MAIL_PER_MINUTE must be a whole number from 10 to 1000000.')
  const preparedStatements = text('PREPARED_STATEMENTS') ?? 'on'
  if (preparedStatements !== 'on' && preparedStatements !== 'off') faults.push('PREPARED_STATEMENTS must be on or off.')
  const dbPool = wholeNumber(text('DB_POOL') ?? String(USUAL_CONNECTIONS))
  if (dbPool === null || dbPool < LEAST_CONNECTIONS || dbPool > MOST_CONNECTIONS)
    faults.push(`DB_POOL must be a whole number from ${LEAST_CONNECTIONS} to ${MOST_CONNECTIONS}.`)
  const workers = readWorkers(text('WORKERS') ?? '1')
  if (workers === null) faults.push(`WORKERS must be auto or a whole number from 1 to ${MOST_WORKERS}.`)
  const limits = text('LIMITS') ?? 'on'
  if (limits !== 'on' && limits !== 'off') faults.push('LIMITS must be on or off.')
  const signUp = text('SIGNUP') ?? 'open'
  if (signUp !== 'open' && signUp !== 'closed') faults.push('SIGNUP must be open or closed.')

  const clubImports = text('CLUB_IMPORTS') ?? 'off'
  if (clubImports !== 'on' && clubImports !== 'off') faults.push('CLUB_IMPORTS must be on or off.')

  const localWebhooks = text('LOCAL_WEBHOOKS') ?? 'off'
  if (localWebhooks !== 'on' && localWebhooks !== 'off') faults.push('LOCAL_WEBHOOKS must be on or off.')

  const backups = text('BACKUPS')
  const s3 = readS3()
  // Such a word is no folder, in which the backups would be where nobody looks for them.
  if (backups !== 'off' && backups !== 's3' && /^(on|off|s3|yes|no|none|true|false)$/i.test(backups ?? ''))
    faults.push(`BACKUPS must be off, s3 or a folder (./${backups} if it is called that), not ${backups}.`)
  if (backups === 's3' && s3 === null) faults.push('BACKUPS=s3 needs S3_ENDPOINT and the other settings of S3.')

  const settings: Settings = {
    port: port ?? 0,
    host: text('HOST') ?? '127.0.0.1',
    baseUrl: readBaseUrl() ?? `http://localhost:${port}`,
    dataDir: text('DATA_DIR'),
    backups: backups !== 'off',
    backupDir: backups === 'off' || backups === 's3' ? null : backups,
    backupsInS3: backups === 's3',
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    preparedStatements: preparedStatements === 'on',
    dbPool: dbPool ?? USUAL_CONNECTIONS,
    workers: workers ?? 1,
    sudoEmail,
    sudoPassword,
    smtpUrl: readSmtpUrl(),
    mailFrom,
    mailsPerMinute,
    signUp: signUp === 'open',
    clubImports: clubImports === 'on',
    operatorName: text('OPERATOR_NAME'),
    operatorContact: text('OPERATOR_CONTACT'),
    s3,
    stripe: readStripe(),
    trustProxy: trustProxy ?? false,
    limits: limits === 'on',
    metricsToken: text('METRICS_TOKEN'),
    localWebhooks: localWebhooks === 'on',
    logLevel,
  }
  if (faults.length > 0) throw new WrongSettings(faults)
  return settings
}

/** Whether the public address means this machine alone. */
export function isLocalAddress(baseUrl: string): boolean {
  return isLocalHost(new URL(baseUrl).hostname.replace(/^\[|\]$/g, ''))
}

/** Whether an address to listen on is reached from this machine alone. */
export function isLocalHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** Digits alone: no `1e3`, no `0x50`. */
function wholeNumber(value: string): number | null {
  return /^\d{1,9}$/.test(value) ? Number(value) : null
}

/** An address, or a name and an address in brackets. Characters with a meaning in mail headers must be quoted. */
function isSender(value: string): boolean {
  const address = String.raw`[^\s@<>"(),:;[\]\\]+@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?`
  const name = String.raw`(?:"[^"\\\p{Cc}]+"|[^"@<>(),:;[\]\\\p{Cc}]+?)`
  return new RegExp(`^(?:${address}|(?:${name} *)?<${address}>)$`, 'u').test(value)
}

/** How many proxies, or which ones by address; null when it is neither. */
function readTrustProxy(value: string | null): boolean | number | string[] | null {
  if (value === null) return ['loopback']
  if (value === 'off' || value === 'false') return false
  if (value === 'on' || value === 'true') return true
  if (/^\d{1,2}$/.test(value)) return Number(value)
  const proxies = value.split(',').map((proxy) => proxy.trim())
  return proxies.every(isProxy) ? proxies : null
}

function isProxy(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 6 ? 128 : 32))
  return ['loopback', 'linklocal', 'uniquelocal'].includes(text) || (isIP(address) !== 0 && isRange)
}
