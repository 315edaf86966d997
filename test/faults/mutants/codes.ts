import type { Mutant } from './mutant.ts'

const codes = 'test/api/codes.test.ts'
const hidden = 'test/api/hidden-tickets.test.ts'
const useCode = 'src/server/codes/code-uses.ts'
const register = 'src/server/registrations/register/register.ts'
const check = 'src/server/registrations/register/check-request.ts'

// The count of uses and of members' tickets within a run is left out: the database refuses such a run, and it is placed in smaller parts.
export const codesOfEvents: Mutant[] = [
  {
    name: 'an order uses a code for all whom it helps, or is refused',
    file: register,
    find: 'stock.whyNot(wanted) ?? uses.whyNot(people) ??',
    replace: 'stock.whyNot(wanted) ??',
    tests: [codes],
  },
  {
    name: 'the times at which a code can be used',
    file: useCode,
    find: 'if (closesAt && now >= closesAt)',
    replace: 'if (closesAt && now > new Date(8e15))',
    tests: [codes],
  },
  {
    name: 'a code that begins later',
    file: useCode,
    find: 'if (opensAt && now < opensAt)',
    replace: 'if (opensAt && now < new Date(0))',
    tests: [codes],
  },
  {
    name: 'a code that helps nobody is refused',
    file: check,
    find: 'if (code && [first, ...companions].every(({ codeId }) => codeId === null))',
    replace: 'if (code && code.id < 0)',
    tests: [codes],
  },
  {
    name: 'whom a code does not help uses nothing of it',
    file: check,
    find: 'codeId: code && isOfUse(code, type, currency) ? code.id : null',
    replace: 'codeId: code ? code.id : null',
    tests: [codes],
  },
  {
    name: 'a code makes no ticket dearer',
    file: 'src/server/codes/code-price.ts',
    find: "if (kind === 'price') return Math.min(price, value)",
    replace: "if (kind === 'price') return value",
    tests: [codes],
  },
  {
    name: 'only the tickets that a code names',
    file: 'src/server/codes/code-price.ts',
    find: 'return ticketTypeIds.length === 0 || ticketTypeIds.includes(id)',
    replace: 'return ticketTypeIds.length === 0 || id > 0',
    tests: [hidden],
  },
  {
    name: 'a ticket that needs a code is not sold without',
    file: 'src/server/ticket-types/choose-ticket-type.ts',
    find: '(now === null || isOpenWith(code, type))',
    replace: '(now === null || isOpenWith({ ticketTypeIds: [] }, type))',
    tests: [hidden],
  },
  {
    name: 'a ticket that needs a code is not shown without',
    file: 'src/server/codes/types-with.ts',
    find: 'live.filter((type) => isOpenWith(null, type))',
    replace: 'live',
    tests: [hidden],
  },
  {
    name: 'the uses of a code when a ticket is taken up again',
    file: 'src/server/places/seat-queries.ts',
    find: 'having c.used_count + count(*) > c.max_uses',
    replace: 'having c.used_count < 0',
    tests: [codes],
  },
  {
    name: 'the prices of tickets that need a code, of which the event says nothing',
    file: 'src/server/ticket-types/queries.ts',
    find: "coalesce(min(price) filter (where access = 'public'), min(price))",
    replace: 'min(price)',
    tests: [hidden],
  },
  {
    name: 'guesses of unknown codes',
    file: 'src/server/limits/guesses.ts',
    find: 'if (error instanceof WrongGuess) await count(deps.db, deps.now(), wrong)',
    replace: '',
    tests: [codes],
  },
  {
    name: 'a code of another event',
    file: 'src/server/codes/save-code.ts',
    find: "if (before === undefined) throw new Refusal('NOT_FOUND')",
    replace: '',
    tests: [codes],
  },
  {
    name: 'the smallest price that a card can be charged',
    file: 'src/server/codes/save-code.ts',
    find: 'price !== type.price && price > 0 && price < least',
    replace: 'price < 0 && price < least',
    tests: [codes],
  },
  {
    name: 'an ended hold whose code has ended',
    file: 'src/server/payments/checkout/live-payment.ts',
    find: 'if (await hasEndedCode(tx, all, now))',
    replace: 'if (all.length < 0)',
    tests: [codes],
  },
  {
    name: 'tickets that a code names are kept',
    file: 'src/server/ticket-types/queries.ts',
    find: 'and t.id = any(c.ticket_type_ids))',
    replace: 'and c.id < 0)',
    tests: [hidden],
  },
]

const members = 'test/api/club-members.test.ts'

export const membersOfClubs: Mutant[] = [
  {
    name: 'a ticket for members needs a member',
    file: check,
    find: "type.access === 'member' && request.isLimited",
    replace: "type.access === 'member' && request.isLimited && request.memberId !== ''",
    tests: [members],
  },
  {
    name: 'how many tickets a member may have',
    file: register,
    find: '?? members.whyNot(people, memberPath)',
    replace: '',
    tests: [members],
  },
  {
    name: 'somebody who gets a number stays the same member',
    file: 'src/server/club-members/save-members.ts',
    find: '?? addressAlone(byEmail) ?? first',
    replace: '?? first',
    tests: [members],
  },
  {
    name: 'the members of the last list stay who they are',
    file: 'src/server/club-members/save-members.ts',
    find: 'rows.get(first) ?? before.get(first)',
    replace: 'rows.get(first)',
    tests: [members],
  },
  {
    name: 'a member’s tickets when one is taken up again',
    file: 'src/server/places/seat-queries.ts',
    find: 'having count(*) > t.max_per_member',
    replace: 'having count(*) < 0',
    tests: [members],
  },
]
