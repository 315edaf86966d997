import type { Mutant } from './mutant.ts'

const isolation = 'test/concurrency/isolation.test.ts'
const proxy = 'test/faults/database-proxy.test.ts'
const unavailable = 'test/api/unavailable.test.ts'

// Guards that only affect speed are left out where no test counts what is read: the deadline of a joined run, because its statements have their own deadlines,
// and the rule for the same person within a batch, because the index refuses such a batch and it is halved.
export const database: Mutant[] = [
  {
    name: 'the deadline of a statement',
    file: 'src/server/db/connections/connection.ts',
    find: 'await withPatience(patienceMs, work(), () => {',
    replace: 'await withPatience(3_600_000, work(), () => {',
    tests: [proxy],
  },
  {
    name: 'the end of connections as old as a silent one',
    file: 'src/server/db/connections/pool.ts',
    find: 'if ((openedAt.get(client) ?? 0) >= trustedSince)',
    replace: '',
    tests: [proxy],
  },
  {
    name: 'the deadline of a call',
    file: 'src/server/http/deadline.ts',
    find: 'if (isOver) reject',
    replace: 'if (false) reject',
    tests: ['src/server/http/deadline.test.ts'],
  },
  {
    name: 'the first error, which a failed rollback must not hide',
    file: 'src/server/db/connections/connection.ts',
    find: 'if (!this.#hasFailed) throw error',
    replace: "throw new Error('rollback failed')",
    tests: [proxy],
  },
  {
    name: 'a run of its own for each event',
    file: 'src/server/registrations/register/register.ts',
    find: 'laneOf: ({ eventId }) => eventId,',
    replace: 'laneOf: () => 0,',
    tests: [isolation],
  },
  {
    name: 'the short wait for an event that is locked',
    file: 'src/server/db/locks.ts',
    find: "`select set_config('lock_timeout', $1, true), set_config(",
    replace: '`select $1::text, set_config(',
    tests: [isolation],
  },
  {
    name: 'another try of a run that others were in the way of',
    file: 'src/server/registrations/register/register.ts',
    find: 'isInTheWay: (error) => isLocked(error) || isCollision(error),',
    replace: '',
    tests: [isolation],
  },
  {
    name: 'a place for others beside blocked lanes',
    file: 'src/server/db/batch.ts',
    find: 'if (lane.isBlocked && blockedUnderWay >= mostBlocked) continue',
    replace: '',
    tests: ['src/server/db/batch.test.ts'],
  },
  {
    name: 'the difference between no key and the key "null"',
    file: 'src/server/registrations/register/register.ts',
    find: 'request.idempotencyKey === null ? undefined : ',
    replace: '',
    tests: [isolation],
  },
  {
    name: 'the answer to work on what was removed meanwhile',
    file: 'src/server/http/errors.ts',
    find: 'if (foreignKey !== null) return',
    replace: 'if (false) return',
    tests: [isolation],
  },
  {
    name: 'another try with a statement whose tables have changed',
    file: 'src/server/db/violations.ts',
    find: ' || isPlanOutdated(error)\n',
    replace: '\n',
    tests: ['src/server/db/violations.test.ts'],
  },
  {
    name: 'the end of statements whose tables have changed',
    file: 'src/server/db/connections/connection.ts',
    find: 'if (isPlanOutdated(error)) this.#use.prepared?.renew()',
    replace: '',
    tests: ['test/api/pipelines.test.ts'],
  },
  {
    name: 'the errors of a full disk',
    file: 'src/server/describe-error.ts',
    find: '|53\\d{3}|',
    replace: '|',
    tests: [unavailable],
  },
  {
    name: 'when to try again',
    file: 'src/server/http/errors.ts',
    find: 'refusal.retryAfter ?? (isPassing ? RETRY_AFTER_S : null)',
    replace: 'refusal.retryAfter',
    tests: [unavailable],
  },
  {
    name: 'the write with which readiness is probed',
    file: 'src/server/http/health.ts',
    find: 'beat(db, server).then(() => isMigrated(db))',
    replace: 'isMigrated(db)',
    tests: [unavailable],
  },
  {
    name: 'an event that the statistics do not know, in a look-up',
    file: 'src/server/db/planner.ts',
    find: 'number>`(select',
    replace: 'number>`(',
    tests: ['test/api/keys.test.ts'],
  },
  {
    name: 'events that the statistics do not know, in a look-up',
    file: 'src/server/db/planner.ts',
    find: 'any((select',
    replace: 'any((',
    tests: ['test/api/keys.test.ts'],
  },
  {
    name: 'ids that are looked up, rather than all of their event',
    file: 'src/server/db/planner.ts',
    find: '} + 0`',
    replace: '}`',
    tests: ['test/api/keys.test.ts'],
  },
]
