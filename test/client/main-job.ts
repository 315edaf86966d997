import createClient from 'openapi-fetch'
import type { paths } from './generated/openapi.ts'

// A program of somebody else: all that it knows of Turnout is its OpenAPI document, from which `paths` is generated. The test
// `test/api/client.test.ts` generates the types, checks this file with them, and runs it.

const [url = '', email = '', password = ''] = process.argv.slice(2)
const visitor = createClient<paths>({ baseUrl: url })

const { response } = await visitor.POST('/api/user/signin', { body: { email, password } })
const token = response.headers.get('authorization')
const staff = createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${token}` } })

const me = given(await staff.GET('/api/user/getCurrentUser'))
const draft = given(
  await staff.POST('/api/event/save', {
    body: {
      name: 'Harbour run',
      startsAt: '2026-11-27T18:00:00.000Z',
      endsAt: '2026-11-27T22:00:00.000Z',
      status: 'draft',
    },
  }),
)
const event = given(
  await staff.POST('/api/event/save', { body: { id: draft.id, version: draft.version, status: 'published' } }),
)

const newRegistration = {
  eventId: event.id,
  clubId: event.clubId,
  registrationData: { name: 'Ada Runner', email: 'ada@example.org', phone: '+49 30 1234567', others: [] },
}
const { savedRegistration: ticket } = given(
  await visitor.POST('/api/registration/initRegistration', { body: { newRegistration, extrasIds: [] } }),
)

const qrCodeData = JSON.stringify({ id: ticket.id, qrUuid: ticket.qrUuid })
const scan = { body: { payload: { eventId: event.id, qrCodeData } } }
const { checkin } = given(await staff.POST('/api/checkin/scanByRegistrationId', scan))
const again = await staff.POST('/api/checkin/scanByRegistrationId', scan)

const query = { eventId: String(event.id) }
const { attendees } = given(await staff.GET('/api/registration/getAttendees', { params: { query } }))

const seen = {
  club: me.clubName,
  event: event.name,
  isIn: checkin.status,
  secondScan: again.error?.code,
  attendees: attendees.map(({ registration, checkin: entry }) => ({
    name: registration.registrationData.name,
    isIn: entry?.status ?? false,
  })),
}
process.stdout.write(JSON.stringify(seen))

/** The payload of an answer; a refusal ends the program with its sentence. */
function given<T>({ data, error }: { data?: { payload: T } | undefined; error?: { msg: string } | undefined }): T {
  if (data === undefined) throw new Error(error?.msg ?? 'No answer.')
  return data.payload
}
