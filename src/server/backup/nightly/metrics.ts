import { Gauge, type Registry } from 'prom-client'
import type { Deps } from '../../deps.ts'
import { findBackupState } from './state-queries.ts'

/** The nightly backups in figures: one row of the database is read for them. */
export function addBackupMetrics(register: Registry, { db }: Pick<Deps, 'db'>): void {
  const registers = [register]
  new Gauge({
    name: 'turnout_backup_last_good_timestamp_seconds',
    aggregator: 'max',
    help: 'When the last good nightly backup was made, in seconds since 1970; 0 before the first.',
    registers,
    async collect() {
      const { goodAt } = await findBackupState(db)
      this.set((goodAt?.getTime() ?? 0) / 1_000)
    },
  })
  new Gauge({
    name: 'turnout_backup_bytes',
    aggregator: 'max',
    help: 'The size of the last good nightly backup; 0 before the first.',
    registers,
    async collect() {
      const { bytes } = await findBackupState(db)
      this.set(bytes ?? 0)
    },
  })
}
