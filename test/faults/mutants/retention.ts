import type { Mutant } from './mutant.ts'

const tests = ['test/api/retention.test.ts']
const file = 'src/server/retention/queries.ts'

export const retention: Mutant[] = [
  {
    name: 'the days that personal data are kept',
    file,
    find: "coalesce(e.keep_days, c.keep_days) * interval '1 day'",
    replace: "coalesce(e.keep_days, c.keep_days) * interval '0 days'",
    tests,
  },
  {
    name: 'the week in which a mistyped date is corrected',
    file,
    find: 'and e.erase_from <=',
    replace: 'and e.ends_at <=',
    tests,
  },
  {
    name: 'that a correction takes the notice back',
    file,
    find: 'where erase_from is not null and not exists (',
    replace: 'where false and not exists (',
    tests,
  },
  {
    name: 'that nobody to whom money is owed is deleted',
    file,
    find: 'isUnrefunded}) or exists (',
    replace: 'isUnrefunded}) or false and exists (',
    tests,
  },
  {
    name: 'never, where the days are 0',
    file,
    find: 'coalesce(e.keep_days, c.keep_days) > 0',
    replace: 'true',
    tests,
  },
  {
    name: 'the refunds that are still under way',
    file,
    find: "or exists (select from refunds f where f.payment_id = p.id and f.status = 'queued')",
    replace: '',
    tests,
  },
  {
    name: 'the look at the event before each step',
    file: 'src/server/retention/erase-event.ts',
    find: '!(await lockDueEvent(tx, eventId, now))',
    replace: 'false',
    tests,
  },
  {
    name: 'the refusal to change a registration without personal data',
    file: 'src/server/records/registration-queries.ts',
    find: 'if (erasedAt !== null) throw',
    replace: 'if (erasedAt === undefined) throw',
    tests,
  },
  {
    name: 'the counts of answers that are deleted',
    file,
    find: 'count = a.count + excluded.count',
    replace: 'count = excluded.count',
    tests,
  },
  {
    name: 'personal data: that a place at an event that is not over is kept',
    file: 'src/server/personal-data/queries.ts',
    find: "r.status <> 'cancelled' or exists (",
    replace: 'false or exists (',
    tests: ['test/api/personal-data.test.ts'],
  },
  {
    name: 'personal data: that the page of an order whose others have places is kept',
    file: 'src/server/personal-data/queries.ts',
    find: "where o.order_id = r.order_id and o.status <> 'cancelled'",
    replace: 'where false',
    tests: ['test/api/personal-data.test.ts'],
  },
  {
    name: 'personal data: that somebody whose money is under way is kept',
    file: 'src/server/personal-data/queries.ts',
    find: "then 'money' end`",
    replace: 'then null end`',
    tests: ['test/api/personal-data-money.test.ts'],
  },
  {
    name: 'personal data: the club of a registration',
    file: 'src/server/personal-data/queries.ts',
    find: 'r.erased_at is null and r.club_id = $',
    replace: 'r.erased_at is null and 0 <> $',
    tests: ['test/api/personal-data.test.ts'],
  },
  {
    name: 'personal data: the club of a conflict',
    file: 'src/server/personal-data/queries.ts',
    find: 'where e.club_id = $',
    replace: 'where 0 <> $',
    tests: ['test/api/personal-data.test.ts'],
  },
]
