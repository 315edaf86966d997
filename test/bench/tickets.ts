import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { qrPicture } from '../../src/server/tickets/qr-picture.ts'
import { shownOf } from '../../src/server/tickets/shown-on-pdf.ts'
import { ticketPdf } from '../../src/server/tickets/ticket-pdf.ts'
import { startBench } from './bench-server.ts'

// The mail worker's files for each ticket: 1,000 PDFs and pictures, one at a time on one core, compared with 1,000 pictures alone.
const COUNT = 1_000
const { db, call, newEvent, stop } = await startBench(3933)

async function perSecond(make: (n: number) => unknown): Promise<number> {
  await make(0)
  const start = performance.now()
  for (let n = 0; n < COUNT; n++) await make(n)
  return (COUNT * 1000) / (performance.now() - start)
}

try {
  const { id: eventId, clubId } = await newEvent('Summer party on the river')
  const registrationData = { name: 'Zoë Müller', email: 'zoe@example.org', phone: '+49 30 1234567', others: [] }
  const input = { newRegistration: { eventId, clubId, registrationData }, extrasIds: [] }
  const { savedRegistration } = (await call(registrationApi.initRegistration, input)).payload
  const registration = await db
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', savedRegistration.id)
    .executeTakeFirstOrThrow()
  const event = await db.selectFrom('events').selectAll().where('id', '=', eventId).executeTakeFirstOrThrow()
  const club = await db.selectFrom('clubs').selectAll().where('id', '=', clubId).executeTakeFirstOrThrow()

  const url = ticketUrl('https://club.example.org', registration)
  const pictures = await perSecond((n) => qrPicture(`${url}?${n}`))
  const latin = await perSecond((n) =>
    ticketPdf(
      shownOf(
        [
          {
            registration: { ...registration, name: `Zoë Müller ${n}` },
            event,
            club,
            typeName: null,
            purchases: [],
            receipt: null,
          },
        ],
        'https://club.example.org',
      ),
    ),
  )
  const names = ['山田 太郎', 'محمد علي', 'Иван Ёлкин', '김철수 🎉']
  const mixed = await perSecond((n) =>
    ticketPdf(
      shownOf(
        [
          {
            registration: { ...registration, name: names[n % names.length] ?? '' },
            event,
            typeName: null,
            club,
            purchases: [],
            receipt: null,
          },
        ],
        'https://club.example.org',
      ),
    ),
  )
  console.log(`\nTickets made by one worker, ${COUNT} each`)
  console.log(`pictures of codes        ${pictures.toFixed(0).padStart(5)}/s`)
  console.log(
    `PDFs, Latin names        ${latin.toFixed(0).padStart(5)}/s   ${(latin / pictures).toFixed(2)} × the pictures`,
  )
  console.log(
    `PDFs, names of 4 scripts ${mixed.toFixed(0).padStart(5)}/s   ${(mixed / latin).toFixed(2)} × those with Latin names`,
  )
} finally {
  await stop()
}
