import { codeKey } from '../contract/codes.ts'
import type { RegistrationData } from '../contract/registrations.ts'
import type { CurrentUser } from '../contract/sign-in.ts'
import { hashPassword } from './auth/passwords.ts'
import { findUserByEmail } from './auth/queries.ts'
import { insertClub } from './clubs/queries.ts'
import { insertCode, noteCodes } from './codes/queries.ts'
import type { EventRow, FormQuestionRow, Tx } from './db/schema.ts'
import type { Deps } from './deps.ts'
import { insertEvent } from './events/queries.ts'
import { insertExtras } from './extras/queries.ts'
import { findQuestions, insertQuestion } from './forms/queries.ts'
import { findTicketTypes } from './records/ticket-type-queries.ts'
import { insertUser } from './records/user-queries.ts'
import { makeRegister } from './registrations/register/register.ts'
import { insertTicketType, storePriceRange, updateTicketType } from './ticket-types/queries.ts'

const EMAIL = 'admin@demo.turnout.local'
const PASSWORD = 'demo-admin-1'
const DAY = 24 * 60 * 60_000
const HOUR = 60 * 60_000
/** For how long registration has been open. */
const WEEKS_OPEN = 4

/** Adds the demo club once: an admin, three events (open, full, one with a price and vouchers) and 500 attendees. */
export async function fillDemo(deps: Deps): Promise<{ clubId: CurrentUser['id']; email: string; password: string }> {
  const existing = await findUserByEmail(deps.db, EMAIL)
  if (existing?.clubId) return { clubId: existing.clubId, email: EMAIL, password: PASSWORD }
  const { clubId, open, full, child } = await addClubAndEvents(deps)
  await deps.db.transaction().execute(async (tx) => {
    for (const [position, { options, isForChildren, ...question }] of questions.entries()) {
      const ticketTypeIds = isForChildren ? [child] : []
      await insertQuestion(tx, {
        ...question,
        ticketTypeIds,
        options: JSON.stringify(options),
        position,
        eventId: open.id,
      })
    }
  })
  const asked = await findQuestions(deps.db, [open.id])
  const guests = people(380).map((person, index) => {
    const isChild = index % 5 === 0
    return { ...person, isChild, others: answersTo(asked, index, isChild) }
  })
  // Every second child comes with the adult after them, who registers both.
  const comesAlong = (index: number) => index % 10 === 0
  const requests = [
    ...guests.flatMap(({ isChild, ...person }, index) => {
      if (comesAlong(index)) return []
      const alone = request(open, person, isChild ? child : undefined)
      const along = index > 0 && comesAlong(index - 1) ? guests[index - 1] : undefined
      if (!along) return [alone]
      const registrationData = { name: along.name, email: '', phone: '', others: along.others }
      return [{ ...alone, companions: [{ ticketTypeId: child, registrationData, extrasIds: [] }] }]
    }),
    ...people(120, 380).map((person) => request(full, person)),
  ]
  // By the same code path as visitors, so that seats and mails are as real as theirs; day by day, so that the statistics show a course.
  for (let daysAgo = WEEKS_OPEN * 7; daysAgo >= 0; daysAgo--) {
    const day = new Date(deps.now().getTime() - daysAgo * DAY)
    const register = makeRegister({ ...deps, now: () => day })
    await Promise.all(
      requests
        .filter((_, index) => daysAgoOf(index) === daysAgo)
        .map((each) => register(each, { visitor: null, language: 'en' })),
    )
  }
  // Nobody waits for these tickets, and a real mail server must not be asked to send them.
  await deps.db.updateTable('mails').set({ status: 'dropped' }).where('clubId', '=', clubId).execute()
  return { clubId, email: EMAIL, password: PASSWORD }
}

/** How many days ago the visitor with this number registered: more and more of them as time goes on. */
function daysAgoOf(index: number): number {
  const share = ((index * 37) % 100) / 100
  return Math.floor((1 - Math.sqrt(share)) * WEEKS_OPEN * 7)
}

async function addClubAndEvents({ db, now, stripe }: Deps) {
  const passwordHash = await hashPassword(PASSWORD)
  return db.transaction().execute(async (tx) => {
    const today = now()
    const createdAt = new Date(today.getTime() - WEEKS_OPEN * 7 * DAY)
    const club = await insertClub(tx, {
      name: 'Riverside Rowing Club',
      location: 'Boathouse Lane 4, Riverside',
      description: 'Rowing for everyone, from first strokes to regattas.',
      email: 'hello@riverside.example',
      phone: '+44 20 7946 0958',
      website: 'https://riverside.example',
      listed: true,
      currency: 'gbp',
      timeZone: 'Europe/London',
      createdAt,
    })
    const user = {
      role: 'admin' as const,
      fullName: 'Robin Demo',
      email: EMAIL,
      passwordHash,
      clubId: club.id,
      createdAt,
      teamRole: 'owner' as const,
    }
    await insertUser(tx, user)

    const evening = (days: number) => new Date(Math.floor((today.getTime() + days * DAY) / DAY) * DAY + 19 * HOUR)
    const event = {
      clubId: club.id,
      location: club.location,
      timeZone: club.timeZone,
      currency: club.currency,
      ticketPrice: 0,
      registrationOpensAt: null,
      registrationClosesAt: null,
      status: 'published' as const,
      createdAt,
    }
    const open = await insertEvent(tx, {
      ...event,
      name: 'Summer Party on the River',
      description:
        'Music, food from the grill and **boat rides until sunset**.\n\n- Doors open at 19:00\n- Bring a friend\n- The boathouse has step-free access',
      startsAt: evening(14),
      endsAt: new Date(evening(14).getTime() + 5 * HOUR),
      maxAttendees: 500,
    })
    const full = await insertEvent(tx, {
      ...event,
      name: 'Learn to Row: Taster Day',
      description: 'Two hours on the water with our coaches. No experience needed.',
      startsAt: evening(7),
      endsAt: new Date(evening(7).getTime() + 2 * HOUR),
      maxAttendees: 120,
    })
    const dinner = await insertEvent(tx, {
      ...event,
      name: 'Regatta Dinner',
      description: 'Three courses and the prize-giving.',
      startsAt: evening(30),
      endsAt: new Date(evening(30).getTime() + 4 * HOUR),
      maxAttendees: 80,
      ticketPrice: 3500,
      // Without card payment nobody could pay for it.
      status: stripe ? 'published' : 'draft',
    })
    const extras = { eventId: dinner.id, maxQuantity: null, soldCount: 0, removedAt: null }
    const drinks = JSON.stringify([{ name: 'Drink', quantity: 3 }])
    await insertExtras(tx, {
      ...extras,
      name: 'Drinks',
      description: 'For the bar, all evening.',
      price: 1200,
      content: drinks,
    })
    const parking = { name: 'Parking', description: 'A place in the yard.', price: 500, content: '[]', maxQuantity: 20 }
    await insertExtras(tx, { ...extras, ...parking })
    const child = await nameTickets(tx, open, { name: 'Adult' }, { ...kid, name: 'Child' })
    await nameTickets(tx, dinner, { name: 'Member' }, { name: 'Guest', price: 4500 })
    const early = { code: 'EARLYBIRD', key: codeKey('EARLYBIRD'), note: 'For whoever books before the summer' }
    const terms = { kind: 'percent' as const, value: 20, maxUses: 50, opensAt: null, closesAt: null }
    await insertCode(tx, { ...early, ...terms, eventId: dinner.id, createdAt: today })
    await noteCodes(tx, dinner.id)
    return { clubId: club.id, open, full, child }
  })
}

const kid = { description: 'Up to 14 years, with an adult', maxQuantity: 120 }

/** Names an event's first ticket type, and adds another one; returns the id of that. */
async function nameTickets(
  tx: Tx,
  event: EventRow,
  first: { name: string },
  second: { name: string; price?: number; description?: string; maxQuantity?: number },
): Promise<number> {
  const [own] = await findTicketTypes(tx, event.id)
  if (own) await updateTicketType(tx, own.id, first, false)
  const id = await insertTicketType(tx, { price: event.ticketPrice, ...second, eventId: event.id, position: 2 })
  await storePriceRange(tx, event)
  return id
}

const questions = [
  {
    typeId: 2,
    text: 'What will you eat?',
    required: true,
    showAtDoor: true,
    options: ['Grilled fish', 'Vegetables', 'Both'],
  },
  { typeId: 3, text: 'I can help with', required: false, options: ['Setting up', 'The grill', 'Clearing away'] },
  { typeId: 0, text: 'Anything we should know?', required: false, showAtDoor: true, options: [] },
  { typeId: 0, text: 'How old is the child?', required: true, options: [], isForChildren: true },
]

/** Everybody answers the first question, some the others. */
function answersTo(
  [meal, help, note, age]: FormQuestionRow[],
  index: number,
  isChild: boolean,
): RegistrationData['others'] {
  if (!meal || !help || !note || !age) return []
  const pick = ({ options }: { options: string[] }) => options[index % options.length] ?? ''
  return [
    { qId: meal.id, answer: pick(meal) },
    ...(index % 4 === 0 ? [{ qId: help.id, answer: [pick(help)] }] : []),
    ...(index % 9 === 0 ? [{ qId: note.id, answer: 'I come with a pram.' }] : []),
    ...(isChild ? [{ qId: age.id, answer: String(3 + (index % 12)) }] : []),
  ]
}

const firstNames =
  'Ada Amir Ana Ben Chen Chloé Dario Elif Emma Femi Grace Hana Ivan Jana João Kofi Lena Luca Maya Nils Noor Olga Omar Priya Rosa'.split(
    ' ',
  )
const lastNames =
  'Adams Bauer Costa Demir Evans Fischer García Haddad Ito Jensen Kaya Lopez Moreau Novak Okafor Patel Rossi Silva Tanaka Weber'.split(
    ' ',
  )

/** `count` people with names of their own, from the `from`th on. */
function people(count: number, from = 0) {
  return Array.from({ length: count }, (_, index) => {
    const n = from + index
    const name = `${firstNames[n % firstNames.length]} ${lastNames[Math.floor(n / firstNames.length) % lastNames.length]}`
    return {
      name,
      email: `guest${n + 1}@example.org`,
      phone: `+44 20 7946 ${String(1000 + n)}`,
      others: [] as RegistrationData['others'],
    }
  })
}

function request(event: EventRow, registrationData: ReturnType<typeof people>[number], ticketTypeId?: number) {
  return { newRegistration: { eventId: event.id, clubId: event.clubId, ticketTypeId, registrationData }, extrasIds: [] }
}
