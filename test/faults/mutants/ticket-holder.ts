import type { Mutant } from './mutant.ts'

export const ticketHolder: Mutant[] = [
  {
    name: 'the secret of who gives a place back',
    file: 'src/server/registrations/give-back.ts',
    find: '!known || !isSame(known.qrUuid, qrUuid)',
    replace: '!known',
    tests: ['test/api/ticket-holder.test.ts'],
  },
  {
    name: 'the secret of who corrects',
    file: 'src/server/registrations/correct-own.ts',
    find: '!before || !isSame(before.qrUuid, qrUuid)',
    replace: '!before',
    tests: ['test/api/ticket-holder.test.ts'],
  },
  {
    name: 'the deadline of corrections',
    file: 'src/server/registrations/correct-own.ts',
    find: "if (now() >= correctionsEnd(event)) throw new Refusal('CORRECTIONS_CLOSED')",
    replace: '',
    tests: ['test/api/ticket-holder.test.ts'],
  },
  {
    name: 'the secret of who opens a ticket',
    file: 'src/server/registrations/find-ticket.ts',
    find: '!row || !isSame(row.qrUuid, qrUuid)',
    replace: '!row',
    tests: ['test/api/ticket-holder.test.ts'],
  },
  {
    name: 'the limit of tickets mailed again',
    file: 'src/server/registrations/mail-tickets.ts',
    find: "{ rule: 'lost tickets by address', of:",
    replace: "{ rule: 'lost tickets by network', of:",
    tests: ['test/api/ticket-holder.test.ts'],
  },
]
