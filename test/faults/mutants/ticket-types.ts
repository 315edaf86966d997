import type { Mutant } from './mutant.ts'

const types = 'test/api/ticket-types.test.ts'
const paid = 'test/api/ticket-types-paid.test.ts'
const questions = 'test/api/questions-of-types.test.ts'

// The count of a type's tickets within a batch is left out: the database's constraint refuses such a batch, and it is placed in smaller parts.
export const ticketTypes: Mutant[] = [
  {
    name: 'the type’s own places when a ticket is confirmed again',
    file: 'src/server/places/seat-queries.ts',
    find: "eb('soldCount', '<', eb.ref('maxQuantity'))",
    replace: "eb('soldCount', '>=', 0)",
    tests: [types, paid],
  },
  {
    name: 'the sale of a type, for a ticket whose hold ended',
    file: 'src/server/payments/checkout.ts',
    find: "if (!isSold(await findTicketTypes(tx, event.id), registration, now)) throw new Refusal('REGISTRATION_CLOSED')",
    replace: '',
    tests: [paid],
  },
  {
    name: 'a price changed meanwhile, for whoever edits the event',
    file: 'src/server/ticket-types/queries.ts',
    find: ', version = e.version + 1',
    replace: '',
    tests: [types],
  },
  {
    name: 'the times at which a type is sold',
    file: 'src/server/ticket-types/choose-ticket-type.ts',
    find: 'if (type && state === null) return type',
    replace: 'if (type) return type',
    tests: [types],
  },
  {
    name: 'the first type that is on sale, for whoever names none',
    file: 'src/server/ticket-types/choose-ticket-type.ts',
    find: 'const first = sold.find((type) => stateOf(type) === null)',
    replace: 'const first = sold[0]',
    tests: [types],
  },
  {
    name: 'types off sale, which visitors cannot choose',
    file: 'src/server/ticket-types/choose-ticket-type.ts',
    find: 'const sold = onSale(types)',
    replace: 'const sold = types',
    tests: [types],
  },
  {
    name: 'types off sale, of which visitors are not told',
    file: 'src/server/ticket-types/routes.ts',
    find: 'isForStaff ? types : onSale(types)',
    replace: 'types',
    tests: [types],
  },
  {
    name: 'a list that has changed since it was seen',
    file: 'src/server/ticket-types/save-ticket-types.ts',
    find: "if (seen && !isSame(seen, before)) throw new Refusal('EDIT_CONFLICT')",
    replace: '',
    tests: [types, paid],
  },
  {
    name: 'a price at a published event that nobody could pay',
    file: 'src/server/ticket-types/save-ticket-types.ts',
    find: "if (isPriced && current.status === 'published' && stripe === null) throw new Refusal('PAYMENTS_OFF')",
    replace: '',
    tests: [types],
  },
  {
    name: 'types that were sold, which are kept when they are taken off sale',
    file: 'src/server/ticket-types/queries.ts',
    find: 'and not exists (select from registrations r where',
    replace: 'and not exists (select from registrations r where false and',
    tests: [types],
  },
  {
    name: 'the type among what makes two requests the same',
    file: 'src/server/places/fingerprint.ts',
    find: 'JSON.stringify(ticketTypeId === undefined ? parts : [...parts, ticketTypeId])',
    replace: 'JSON.stringify(parts)',
    tests: [paid],
  },
  {
    name: 'the price of an event with several types, which only they change',
    file: 'src/server/events/save-event.ts',
    find: 'after.ticketPrice !== before.ticketPrice && (await countTicketTypes(tx, event.id)) > 1',
    replace: 'false',
    tests: [types],
  },
  {
    name: 'the chosen ticket, which another never replaces',
    file: 'src/web/registrations/chosen-type.ts',
    find: '(named === undefined || String(type.id) === named) && whyNotToBeHad(type, now) === null',
    replace: 'whyNotToBeHad(type, now) === null',
    tests: ['src/web/registrations/chosen-type.test.ts'],
  },
  {
    name: 'the questions for other tickets, which nobody else answers',
    file: 'src/contract/forms.ts',
    find: 'ids.length === 0 || typeId === null || (typeId !== undefined && ids.includes(typeId))',
    replace: 'ids.length === 0 || typeId !== undefined',
    tests: [questions],
  },
  {
    name: 'the ticket types of a question, which are those of its event',
    file: 'src/server/forms/save-form.ts',
    find: 'ticketTypeIds.every((id) => known.has(id))',
    replace: 'ticketTypeIds.every((id) => id > 0)',
    tests: [questions],
  },
  {
    name: 'a ticket type that a question names, which stays when it is taken off sale',
    file: 'src/server/ticket-types/queries.ts',
    find: 'and t.id = any(q.ticket_type_ids)',
    replace: 'and t.id <> t.id',
    tests: [questions],
  },
  {
    name: 'the answers to questions of another ticket, which a correction keeps',
    file: 'src/server/registrations/correct-own.ts',
    find: 'correct(tx, before, data, questionsFor(questions, ticketTypeId), {',
    replace: 'correct(tx, before, data, questions, {',
    tests: [questions],
  },
  {
    name: 'events of which every ticket is sold out, which lists do not call open',
    file: 'src/contract/event-state.ts',
    find: "if (ticketsGone) return 'SOLD_OUT'",
    replace: '',
    tests: ['src/contract/event-state.test.ts'],
  },
  {
    name: 'the event’s note that its tickets are gone',
    file: 'src/server/db/migrations/036-ticket-sales.ts',
    find: 'not bool_or(has_left) as gone',
    replace: 'false as gone',
    tests: [types],
  },
]
