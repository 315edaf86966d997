import { randomUUID } from 'node:crypto'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { authApi } from '../../src/contract/auth.ts'
import { checkinApi } from '../../src/contract/checkins.ts'
import { clubApi } from '../../src/contract/clubs.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { passApi } from '../../src/contract/passes.ts'
import type { PassAbility, TeamRole } from '../../src/contract/permissions.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { teamApi } from '../../src/contract/team.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import * as paths from '../../src/web/paths.ts'
import { bankKeys } from '../support/bank.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, OPERATOR } from '../support/remote.ts'
import { serve } from '../support/serve.ts'
import { startTestBank } from '../test-bank/test-bank.ts'
import { makePhones } from './phones.ts'

const ADMIN = { email: 'admin@demo.turnout.local', password: 'demo-admin-1' }
const SIX = ['Fay Ito', 'Gus Lind', 'Hana Sato', 'Ivo Marek', 'Jo Bright', 'Kim Lee']
const DAY = 24 * 60 * 60_000
const HOUR = 60 * 60_000

/** Starts a server with the demo club, a test bank, and an event and a ticket in each state. */
export async function startPictureClub(port: number) {
  const bank = await startTestBank({ ...bankKeys, webhookUrl: `http://127.0.0.1:${port}/api/stripe/webhook` })
  const served = await serve({
    port,
    args: ['--demo'],
    env: {
      ...OPERATOR,
      LIMITS: 'off',
      SMTP_URL: 'smtp://127.0.0.1:9',
      STRIPE_SECRET_KEY: bankKeys.secretKey,
      STRIPE_WEBHOOK_SECRET: bankKeys.webhookSecret,
      STRIPE_API_BASE: bank.url,
    },
  })
  const { url } = served
  const { payload, token } = await callAt(url, authApi.signin, ADMIN)
  const clubId = payload.currentUser.clubId ?? 0
  const demo = (await callAt(url, eventApi.getAllEvents, { clubId }, token)).payload
  const named = (name: string): Event => {
    const found = demo.find((event) => event.name.startsWith(name))
    if (!found) throw new Error(`The demo has no event ${name}.`)
    return found
  }
  async function add(name: string, days: number, fields: Partial<Input<typeof eventApi.save>> = {}): Promise<Event> {
    const startsAt = new Date(Math.round((Date.now() + days * DAY) / HOUR) * HOUR)
    const endsAt = new Date(startsAt.getTime() + 3 * HOUR)
    const place = 'Boathouse Lane 4, Riverside'
    const event = { name, startsAt, endsAt, location: place, status: 'published' as const, ...fields }
    return (await callAt(url, eventApi.save, event, token)).payload
  }
  async function register(event: Event, name: string, extrasIds: number[] = []) {
    const [meal] = (await callAt(url, formApi.getFormQuestions, { eventId: event.id })).payload
    const others = meal ? [{ qId: meal.id, answer: meal.options[0] ?? '' }] : []
    const request = registrationFor(event, { name, extrasIds, others, phone: '+44 20 7946 0123' })
    return (await callAt(url, registrationApi.initRegistration, request)).payload.savedRegistration
  }

  /** Registers these people; all but the first two have come. */
  async function registerAndLetIn(event: Event, names: readonly string[]): Promise<void> {
    const ids: number[] = []
    for (const name of names) ids.push((await register(event, name)).id)
    const payload = { eventId: event.id, registrationIds: ids.slice(2), action: 'check in' as const }
    await callAt(url, attendeeApi.changeMany, { payload }, token)
  }

  const open = (await callAt(url, eventApi.save, { id: named('Summer').id, ...nextJune() }, token)).payload
  const dinner = named('Regatta')
  const long = 'The Very Long Annual General Meeting of All Members, Friends and Former Presidents of the Club'
  const events = {
    open,
    full: named('Learn'),
    paid: dinner,
    draft: await add('Winter Training Camp', 60, { status: 'draft' }),
    later: await add('New Year Swim', 45, { registrationOpensAt: new Date(Date.now() + 3 * DAY) }),
    closed: await add('Club Quiz Night', 2, { registrationClosesAt: new Date(Date.now() - HOUR) }),
    now: await add('Open Boathouse', -1 / 24, {}),
    few: await add('Head of the River Breakfast', 20, { maxAttendees: 8, ticketPrice: 950 }),
    // Held once people have come.
    over: await add('Autumn Regatta', 1),
    cancelled: await add('Sunset Row', 10),
    long: await add(long, 33, { location: `${long}, Great Hall` }),
  }
  const person = { fullName: 'Sam Sail', email: 'sam@harbour.example', password: 'wind and tide 7' }
  const harbour = await callAt(url, authApi.register, { ...person, clubName: 'Harbour Sailing Club' })
  const harbourId = harbour.payload.currentUser.clubId ?? 0
  await callAt(url, clubApi.save, { id: harbourId, colour: '#f59e0b', listed: true }, harbour.token)
  const novice = { fullName: 'Nia Novak', email: 'nia@chess.example', password: 'knight takes b5' }
  const newcomer = await callAt(url, authApi.register, { ...novice, clubName: 'Chess Club Northgate' })
  const startsAt = new Date(Math.round((Date.now() + 9 * DAY) / HOUR) * HOUR)
  const sail = { name: 'First Sail', startsAt, endsAt: new Date(startsAt.getTime() + 3 * HOUR) }
  const coloured = (await callAt(url, eventApi.save, { ...sail, status: 'published' as const }, harbour.token)).payload
  const extras = (await callAt(url, extrasApi.getExtras, { eventId: dinner.id })).payload
  const drinks = extras.find(({ name }) => name === 'Drinks')?.id ?? 0
  const parking = extras.find(({ name }) => name === 'Parking')?.id ?? 0
  const paid = await register(dinner, 'Ada Moreau', [drinks, drinks, parking])
  for (const { id } of bank.sessions()) await bank.pay(id)
  const unpaid = await register(dinner, 'Ben Okafor', [drinks])
  const free = await register(open, 'Chloé García')
  const checkedIn = await register(open, 'Dario Rossi')
  const cancelled = await register(events.cancelled, 'Elif Demir')
  await callAt(url, eventApi.save, { id: events.cancelled.id, status: 'cancelled' }, token)
  const scan = { payload: { qrCodeData: ticketUrl(url, checkedIn), eventId: open.id, scanId: crypto.randomUUID() } }
  await callAt(url, checkinApi.scanByRegistrationId, scan, token)
  for (const name of SIX) await register(events.few, name)
  await registerAndLetIn(events.now, SIX)
  await registerAndLetIn(events.over, [...SIX, 'Lea Wolf', 'Max Stein', 'Nora Dahl'])
  const last = new Date(Math.round((Date.now() - 20 * DAY) / HOUR) * HOUR)
  const over = { id: events.over.id, startsAt: last, endsAt: new Date(last.getTime() + 3 * HOUR) }
  events.over = (await callAt(url, eventApi.save, over, token)).payload
  const tickets = { free, paid, unpaid, checkedIn, cancelled }
  /** Adds somebody to the team and signs them in. */
  async function join(fullName: string, place: { teamRole: TeamRole; eventIds?: number[] }) {
    const email = `${fullName.split(' ')[0]?.toLowerCase()}@demo.turnout.local`
    const password = 'wind and tide 7'
    await callAt(url, appUserApi.save, { payload: { fullName, email, clubId, password, ...place } }, token)
    const session = await callAt(url, authApi.signin, { email, password })
    return { token: session.token, user: session.payload.currentUser }
  }
  const treasurer = await join('Tess Adeyemi', { teamRole: 'treasurer' })
  const helper = await join('Hugo Berg', { teamRole: 'door', eventIds: [open.id, dinner.id] })
  const pass = await addPasses(url, { eventId: events.paid.id, token })
  const invitation = {
    clubId,
    fullName: 'Mia Torres',
    email: 'mia@demo.turnout.local',
    teamRole: 'manager' as const,
    eventIds: null,
  }
  await callAt(url, teamApi.invite, { payload: invitation }, token)
  const stop = async () => {
    await served.stop()
    await bank.stop()
  }
  const people = {
    admin: { token, user: payload.currentUser },
    newcomer: { token: newcomer.token, user: newcomer.payload.currentUser },
    treasurer,
    helper,
    pass: pass.opened,
  }
  const tokens = { admin: token, helper: helper.token, pass: pass.opened.token }
  const phones = makePhones(url, events.paid.id, tokens)
  await phones.reportSilent()
  return {
    served,
    clubId,
    people,
    events,
    coloured,
    tickets,
    passLink: pass.link,
    reportPhones: phones.reportLive,
    stop,
  }
}

/** Helper passes in each state; returns the link of one that nobody has opened, and one that is open. */
async function addPasses(url: string, { eventId, token }: { eventId: number; token: string }) {
  const make = async (name: string, may: PassAbility[]) => {
    const payload = { eventId, key: randomUUID(), name, may, phones: 1 }
    return (await callAt(url, passApi.makePass, { payload }, token)).payload
  }
  const ended = await make('Oskar Lind', ['tickets'])
  await callAt(url, passApi.revokePass, { payload: { eventId, id: ended.pass.id } }, token)
  const open = await make('Nele Fischer', ['tickets', 'search', 'walk-ins'])
  const opened = await callAt(url, passApi.openPass, { token: open.token, phone: randomUUID() })
  const unopened = await make('Bruno Costa', ['redeem'])
  await make('Ida Roth', ['tickets'])
  return { link: paths.pass(unopened.token), opened: { token: opened.token, user: opened.payload.currentUser } }
}

/** A Saturday evening in the June to come, so that the summer party is not pictured in winter. */
function nextJune() {
  const now = new Date()
  const startsAt = new Date(Date.UTC(now.getUTCFullYear() + (now.getUTCMonth() < 5 ? 0 : 1), 5, 15, 18))
  startsAt.setUTCDate(startsAt.getUTCDate() + 6 - startsAt.getUTCDay())
  return { startsAt, endsAt: new Date(startsAt.getTime() + 5 * HOUR) }
}
