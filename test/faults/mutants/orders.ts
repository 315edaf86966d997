import type { Mutant } from './mutant.ts'

const test = 'test/api/orders.test.ts'
const limits = 'test/api/order-limits.test.ts'

/** Several people who register together. */
export const orders: Mutant[] = [
  {
    name: 'all seats or none',
    file: 'src/server/places/place-queries.ts',
    find: ' where (select count(*) from fitting) = (select count(*) from input)',
    replace: '',
    tests: [test],
  },
  {
    name: 'the vouchers of companions, of which there may be too few',
    file: 'src/server/registrations/register/register.ts',
    find: 'const refusal = stock.whyNot(wanted)',
    replace: 'const refusal = null',
    tests: [test],
  },
  {
    name: 'the companions among what makes two requests the same',
    file: 'src/server/places/fingerprint.ts',
    find: 'if (companions)\n',
    replace: 'if (false)\n',
    tests: [test],
  },
  {
    name: 'the secret of an order',
    file: 'src/server/access/held-ticket.ts',
    find: 'if (!order || !isSame(order.secret, secret))',
    replace: 'if (!order)',
    tests: ['test/api/access.test.ts'],
  },
  {
    name: 'whose tickets are given back',
    file: 'src/server/orders/routes.ts',
    find: "if (chosen.length < new Set(registrationIds).size) throw new Refusal('NOT_FOUND')",
    replace: '',
    tests: [test],
  },
  {
    name: 'giving back all tickets named or none',
    file: 'src/server/registrations/return-ticket.ts',
    find: "before.some(({ status }) => status === 'cancelled')",
    replace: "before.every(({ status }) => status === 'cancelled')",
    tests: [test],
  },
  {
    name: 'the tickets of companions in the mail to the contact',
    file: 'src/server/registrations/ticket-mail.ts',
    find: 'await withOrders(deps, abouts.all)',
    replace: 'abouts.all',
    tests: [test],
  },
  {
    name: 'the people of an order among the registrations of a network',
    file: 'src/server/registrations/register/admit-visitor.ts',
    find: 'times: 1 + (request.companions?.length ?? 0),',
    replace: '',
    tests: [limits],
  },
  {
    name: 'what costs something, which nobody could pay for together',
    file: 'src/server/registrations/register/check-request.ts',
    find: 'if (amount > 0 && companions.length > 0)',
    replace: 'if (false)',
    tests: ['test/api/ticket-types-paid.test.ts'],
  },
  {
    name: 'the addresses of others, which one that is over its limit must not use up',
    file: 'src/server/registrations/register/admit-visitor.ts',
    find: "if (error instanceof Refusal && error.code === 'TOO_MANY_TRIES') await forgiveRefused(deps, request)",
    replace: '',
    tests: [limits],
  },
  {
    name: 'the number of people that a proof of work is for',
    file: 'src/server/limits/proof.ts',
    find: ' || people < times',
    replace: '',
    tests: [limits],
  },
  {
    name: 'what everybody may know, before who else is registered',
    file: 'src/server/places/place-queries.ts',
    find: 'const turns = [\n    full,',
    replace: 'const turns = [\n    known,',
    tests: [test],
  },
  {
    name: 'who is registered at an address of their own, which is not told',
    file: 'src/server/registrations/register/refusal-of-order.ts',
    find: 'if (email.toLowerCase() !== people[0]?.email.toLowerCase()) return new CompanionRegistered(email)',
    replace: '',
    tests: [test],
  },
  {
    name: 'the news for whoever has an address of their own, when their ticket is given back',
    file: 'src/server/registrations/return-ticket.ts',
    find: 'by !== null && email.toLowerCase()',
    replace: 'by === null && email.toLowerCase()',
    tests: [test],
  },
]
