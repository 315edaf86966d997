import type { Mutant } from './mutant.ts'

export const ticketHolder: Mutant[] = [
  {
    name: 'the secret of whoever changes a ticket',
    file: 'src/server/access/held-ticket.ts',
    find: 'if (!ticket || !isHeld)',
    replace: 'if (!ticket)',
    tests: ['test/api/ticket-holder.test.ts'],
  },
  {
    name: 'the secret of whoever opens a voucher',
    file: 'src/server/access/held-ticket.ts',
    find: '!voucher || !isSame(voucher.qrUuid, secret)',
    replace: '!voucher',
    tests: ['test/api/access.test.ts'],
  },
  {
    name: 'the deadline of corrections',
    file: 'src/server/registrations/correct-own.ts',
    find: "if (now() >= correctionsEnd(event)) throw new Refusal('CORRECTIONS_CLOSED')",
    replace: '',
    tests: ['test/api/ticket-holder.test.ts'],
  },
  {
    name: 'the own club of staff who read a ticket without its secret',
    file: 'src/server/access/held-ticket.ts',
    find: 'worksOn(caller, event) && may(caller, staff)',
    replace: "caller?.role === 'admin' && may(caller, staff)",
    tests: ['test/api/access.test.ts'],
  },
  {
    name: 'the limit of tickets mailed again',
    file: 'src/server/registrations/lost-tickets.ts',
    find: "{ rule: 'lost tickets by address', of:",
    replace: "{ rule: 'lost tickets by network', of:",
    tests: ['test/api/ticket-holder.test.ts'],
  },
]
