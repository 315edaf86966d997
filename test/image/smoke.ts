// Tries a server that has just been started: tsx test/image/smoke.ts ADDRESS. Its operator must be that of the tests.
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { callAt, makeEventAt } from '../support/remote.ts'

const base = process.argv[2] ?? ''

/** Fetches an address of the server; fails unless its answer is of this type and begins so. */
async function fetchFile(address: string, type: string, start: string): Promise<string> {
  const { pathname, search } = new URL(address, base)
  const response = await fetch(`${base}${pathname}${search}`)
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
  const got = response.headers.get('content-type') ?? ''
  if (!response.ok || !got.startsWith(type) || !text.startsWith(start))
    throw new Error(`${pathname} answered ${response.status} as ${got} with ${text.length} bytes.`)
  process.stdout.write(`${pathname}: ${got}, ${text.length} bytes\n`)
  return text
}

const { event } = await makeEventAt(base)
const registrationData = { name: 'Zoë 田中', email: 'zoe@example.org', phone: '+49301234567', others: [] }
const newRegistration = { eventId: event.id, clubId: event.clubId, registrationData }
const { payload } = await callAt(base, registrationApi.initRegistration, {
  newRegistration,
  extrasIds: [],
})
const { id, qrUuid } = payload.savedRegistration

const page = await fetchFile(`/club/${event.clubId}/event/${event.id}`, 'text/html', '<!doctype html>')
// It is drawn with the library for images.
const picture = /<meta property="og:image" content="([^"]+)"/.exec(page)?.[1] ?? ''
await fetchFile(picture.replaceAll('&amp;', '&'), 'image/jpeg', '\xff\xd8')
// It needs fonts, also for characters that our own lacks.
await fetchFile(`${ticketApi.getTicketPdf.path}?registrationId=${id}&qrUuid=${qrUuid}`, 'application/pdf', '%PDF')
