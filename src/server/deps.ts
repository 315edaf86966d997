import type { FastifyBaseLogger } from 'fastify'
import type { Activity } from './activity.ts'
import type { Address } from './db/on-client.ts'
import type { Db } from './db/schema.ts'
import type { ImageStore } from './images/image-store.ts'
import type { Mailer } from './mail/mailer.ts'
import type { CardPayment } from './payments/stripe.ts'
import type { Settings } from './settings.ts'

/** The server's dependencies, made once in `main.ts`; tests use their own clock and mail server. */
export interface Deps {
  db: Db
  /** How the database is reached, for work that needs a connection of its own. */
  address: Address
  mailer: Mailer
  images: ImageStore
  /** The folder of this server's own files. */
  dataDir: string
  /** Null where card payment is not set up. */
  stripe: CardPayment | null
  now: () => Date
  settings: Pick<
    Settings,
    | 'baseUrl'
    | 'trustProxy'
    | 'signUp'
    | 'clubImports'
    | 'operatorName'
    | 'operatorContact'
    | 'mailFrom'
    | 'smtpUrl'
    | 'mailsPerMinute'
    | 'limits'
    | 'metricsToken'
    | 'backups'
    | 'localWebhooks'
    | 'workers'
  >
  log: FastifyBaseLogger
  activity: Activity
}
