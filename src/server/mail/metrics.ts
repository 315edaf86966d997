import { Counter, Gauge, type Registry } from 'prom-client'
import type { Deps } from '../deps.ts'
import { countMails } from './queries.ts'
import { findPause } from './state-queries.ts'

const FRESH_MS = 10_000

const sent = new Counter({
  name: 'turnout_mails_sent_total',
  help: 'Mails that this process handed to the mail server.',
  registers: [],
})

/** Counts a mail that the mail server took. */
export function countSent(): void {
  sent.inc()
}

/** The queue in figures, which are the same for every server process (`max`). The database is asked at most every ten seconds, and no query's cost grows with the number of mails. */
export function addMailMetrics(register: Registry, { db, now }: Pick<Deps, 'db' | 'now'>): void {
  register.registerMetric(sent)
  const registers = [register]
  const figures = kept(FRESH_MS, () => Promise.all([countMails(db), findPause(db)]))
  new Gauge({
    name: 'turnout_mails',
    aggregator: 'max',
    help: 'Mails that wait, failed, or are held, up to 100,000 each.',
    labelNames: ['status'],
    registers,
    async collect() {
      const [{ queued, failed, held }] = await figures()
      for (const [status, count] of Object.entries({ queued, failed, held })) this.set({ status }, count)
    },
  })
  new Gauge({
    name: 'turnout_mail_oldest_queued_seconds',
    aggregator: 'max',
    help: 'How long the oldest mail has waited; 0 when none waits.',
    registers,
    async collect() {
      const [{ oldest }] = await figures()
      this.set(oldest === null ? 0 : Math.max(0, (now().getTime() - oldest.getTime()) / 1_000))
    },
  })
  new Gauge({
    name: 'turnout_mail_paused',
    aggregator: 'max',
    help: '1 while the mail server refuses us and the queue is paused.',
    registers,
    async collect() {
      const [, pause] = await figures()
      this.set(pause === null ? 0 : 1)
    },
  })
}

/** Caches the result of `read` for `ms`. Callers of the same moment share one result. */
function kept<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let latest: { at: number; value: Promise<T> } | null = null
  return () => {
    if (!latest || performance.now() - latest.at > ms) {
      const value = read()
      latest = { at: performance.now(), value }
      value.catch(() => {
        latest = null
      })
    }
    return latest.value
  }
}
