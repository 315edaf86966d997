import type { Mutant } from './mutant.ts'

export const vouchers: Mutant[] = [
  {
    name: 'the stock that is looked at',
    file: 'src/server/registrations/register/vouchers-wanted.ts',
    find: 'const short = wanted.find(',
    replace: 'const short = [].find(',
    tests: ['test/api/vouchers.test.ts'],
  },
  {
    name: 'that a unit is redeemed once',
    file: 'src/server/redemptions/redeem-units.ts',
    find: "if (!isEnough(units, changes)) return { kind: 'short', problem: notEnough(units, changes) }",
    replace: '',
    tests: ['test/api/vouchers.test.ts'],
  },
  {
    name: 'that a run redeems a voucher once',
    file: 'src/server/door/redeem-queued.ts',
    find: '=> [scanId, `voucher ',
    replace: '=> [scanId, scanId + `voucher ',
    tests: ['test/api/voucher-queue.test.ts'],
  },
  {
    name: 'that those chosen are the ticket’s own',
    file: 'src/server/redemptions/redeem.ts',
    find: 'const foreign = chosen.findIndex((id) => !own.includes(id))',
    replace: 'const foreign = chosen.findIndex((id) => !own.includes(id) && false)',
    tests: ['test/api/vouchers.test.ts'],
  },
  {
    name: 'that they are free again with their seat',
    file: 'src/server/places/release-queries.ts',
    find: 'update extras x set sold_count = sold_count - freed.count',
    replace: 'update extras x set sold_count = sold_count',
    tests: ['test/api/vouchers.test.ts'],
  },
  {
    name: 'that visitors see only those on sale',
    file: 'src/server/records/shared-reads.ts',
    find: 'where x.event_id = any($1::int[]) and x.removed_at is null order',
    replace: 'where x.event_id = any($1::int[]) order',
    tests: ['test/api/vouchers.test.ts'],
  },
]
