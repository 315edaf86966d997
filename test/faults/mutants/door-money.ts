import type { Mutant } from './mutant.ts'

const tests = ['test/api/door-money.test.ts']
const pay = 'src/server/door/pay-queued.ts'

export const doorMoney: Mutant[] = [
  {
    name: 'the permission to take money',
    file: 'src/server/door/may-do.ts',
    find: "return ['take-money', 'tickets']",
    replace: "return ['tickets']",
    tests,
  },
  {
    name: 'the permission to let in whoever has paid',
    file: 'src/server/door/may-do.ts',
    find: "return ['take-money', 'tickets']",
    replace: "return ['take-money']",
    tests,
  },
  {
    name: 'the end of a pass for money',
    file: pay,
    find: '  if (isAfterEnd(caller, money.at)) return { ...outcome, code: PASS_ENDED }\n',
    replace: '',
    tests,
  },
  {
    name: 'that a ticket is paid once',
    file: pay,
    find: "if (status === 'confirmed' || (await isPaidAtDoor(tx, id)))",
    replace: 'if (await isPaidAtDoor(tx, id))',
    tests,
  },
  {
    name: 'the amount that is due',
    file: pay,
    find: 'if (money.amount !== registration.amount || money.currency !== registration.currency)',
    replace: 'if (money.currency !== registration.currency)',
    tests,
  },
  {
    name: 'the seat that is taken again before a late payment',
    file: pay,
    find: 'isStillMissing && (await reserveAgain(tx, registrations)) === null',
    replace: 'isStillMissing',
    tests,
  },
  {
    name: 'a question whose ticket has no place records nothing',
    file: pay,
    find: '  if (refusal !== null && !wasShownIn) return { ...outcome, code: refusal }\n',
    replace: '',
    tests,
  },
  {
    name: 'the money of a refused question is decided when it was taken all the same',
    file: pay,
    find: 'wasShownIn && first.code !== null && !first.wasShownIn,',
    replace: 'false,',
    tests,
  },
  {
    name: 'automatic refunds leave money from the door alone',
    file: 'src/server/payments/payment-queries.ts',
    find: "    .$if(which === 'bank', (query) => query.where('takenAs', 'is', null))\n",
    replace: '',
    tests,
  },
  {
    name: 'the bank is not asked for refunds by hand',
    file: 'src/server/payments/refund-queries.ts',
    find: "byHand.includes(reason) ? ('done' as const) : ('queued' as const)",
    replace: "'queued' as const",
    tests,
  },
  {
    name: 'a card payment goes back where money from the door is kept',
    file: 'src/server/payments/settle.ts',
    find: "row.status === 'confirmed' || (await isPaidAtDoor(tx, row.id))",
    replace: "row.status === 'confirmed'",
    tests,
  },
]
