import type { Mutant } from './mutant.ts'

const tests = ['test/api/webhooks.test.ts']
const calls = ['test/api/webhook-calls.test.ts']
const addresses = ['src/server/webhooks/addresses.test.ts']

export const webhooks: Mutant[] = [
  {
    name: 'the private networks of IPv4',
    file: 'src/server/webhooks/addresses.ts',
    find: "if (family === 4) return !special4.check(address, 'ipv4')",
    replace: 'if (family === 4) return true',
    tests: addresses,
  },
  {
    name: 'the IPv6 addresses that wrap one of IPv4',
    file: 'src/server/webhooks/addresses.ts',
    find: " && public6.check(address, 'ipv6') && !special6.check(address, 'ipv6')",
    replace: " && !special6.check(address, 'ipv6')",
    tests: addresses,
  },
  {
    name: 'the check of an address when it is saved',
    file: 'src/server/webhooks/webhooks.ts',
    find: 'if (!isAllowedUrl(url, settings.localWebhooks)) throw',
    replace: 'if (false as boolean) throw',
    tests: calls,
  },
  {
    name: 'the check of the addresses that a name has',
    file: 'src/server/webhooks/post.ts',
    find: 'if (addresses.length === 0 || !addresses.every(({ address }) => isAllowed(address)))',
    replace: 'if (addresses.length === 0)',
    tests: ['src/server/webhooks/post.test.ts'],
  },
  {
    name: 'that the connection goes to the addresses that were checked',
    file: 'src/server/webhooks/post.ts',
    find: '      lookup: found,\n',
    replace: '',
    tests: ['src/server/webhooks/post.test.ts'],
  },
  {
    name: 'that only 2xx is a success',
    file: 'src/server/webhooks/deliver.ts',
    find: 'answer.answerCode >= 200 && answer.answerCode < 300',
    replace: 'answer.answerCode >= 200 && answer.answerCode < 400',
    tests,
  },
  {
    name: 'that several servers do not take the same message',
    file: 'src/server/webhooks/claim-queries.ts',
    find: 'for update skip locked',
    replace: '',
    tests,
  },
  {
    name: 'the lease of a message under way',
    file: 'src/server/webhooks/claim-queries.ts',
    find: 'locked_until is null or',
    replace: 'true or',
    tests,
  },
  {
    name: 'the end after three days',
    file: 'src/server/webhooks/schedule.ts',
    find: 'return next > firstTriedAt.getTime() + TRIED_FOR_MS ? null : new Date(next)',
    replace: 'return new Date(next)',
    tests,
  },
  {
    name: 'that a delivery is of one’s own club',
    file: 'src/server/webhooks/queries.ts',
    find: ".where('webhookId', 'in', (eb) => eb.selectFrom('webhooks').select('id').where('clubId', '=', clubId))",
    replace: '',
    tests: calls,
  },
  {
    name: 'the club in the log of deliveries',
    file: 'src/server/webhooks/queries.ts',
    find: ".where('webhooks.clubId', '=', clubId)",
    replace: '',
    tests: calls,
  },
  {
    name: 'the club of a webhook that is told',
    file: 'src/server/db/migrations/033-webhooks.ts',
    find: 'where club_id = club and event = any(events)',
    replace: 'where event = any(events)',
    tests,
  },
]
