import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { checkinApi } from '../../src/contract/checkins.ts'
import { doorApi, MOST_SCANS } from '../../src/contract/door.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { shortCode, ticketUrl } from '../../src/contract/values/ticket-codes.ts'
import { launch, signIn } from '../e2e/browser.ts'
import { ADMIN, startBench } from './bench-server.ts'

// The door with 10,000 tickets: a phone's download, storage and look-up time, and the server's throughput with 20 phones.
const TICKETS = 10_000
const CLIENTS = 20
const SCANS_ON_PHONE = 40
const { db, served, call, token, newEvent, stop } = await startBench(3936)

const { id: eventId, clubId } = await newEvent('Summer festival')
const formQuestions = [{ typeId: 0, text: 'Allergies', required: false, options: [], showAtDoor: true }]
const form = await call(formApi.save, { payload: { eventId, formQuestions, rmQIds: [] } }, token)
const qId = form.payload[0]?.id ?? 0
await sql`
  insert into registrations (event_id, club_id, qr_uuid, name, email, phone, others, search_text, registration_time, status, amount, currency)
  select ${eventId}, ${clubId}, gen_random_uuid(),
    (array['Ada','José','Łukasz','Siobhán','Chloé','Noor','Priya','Björn'])[1 + n % 8] || ' ' ||
    (array['García','Nowak','Müller','Okafor','Tanaka','Evans','Rossi'])[1 + n % 7] || ' ' || n,
    'guest' || n || '@example.org', '+49 30 1234567',
    case when n % 5 = 0 then jsonb_build_array(jsonb_build_object('qId', ${qId}::int, 'question', 'Allergies', 'answer', 'Nuts, milk')) else '[]' end,
    'guest ' || n, now(), 'confirmed', 0, 'eur'
  from generate_series(1, ${TICKETS}) n
`.execute(db)
await sql`analyze`.execute(db)
const tickets = await db.selectFrom('registrations').select(['id', 'qrUuid']).where('eventId', '=', eventId).execute()

const milliseconds = (ms: number) => `${ms.toFixed(1)} ms`
const row = (what: string, value: string) => console.log(`${what.padEnd(64)} ${value}`)
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** The size of the list on the wire, and the time from the request to the last byte. */
async function transfer(encoding: string): Promise<{ kB: number; ms: number }> {
  const started = performance.now()
  const url = `${served.url}${doorApi.getDoorList.path}?eventId=${eventId}`
  // Node's fetch decompresses the body; only the raw answer shows its size.
  const { request } = await import('node:http')
  const bytes = await new Promise<number>((resolve, reject) => {
    request(url, { headers: { authorization: token, 'accept-encoding': encoding } }, (response) => {
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      response.on('end', () => resolve(size))
    })
      .on('error', reject)
      .end()
  })
  return { kB: bytes / 1000, ms: performance.now() - started }
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1e6
}

async function onPhone(browser: Browser): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, permissions: ['camera'] })
  const page = await context.newPage()
  await signIn(page, served, ADMIN)
  const empty = await newEvent('Nobody yet')
  await page.goto(`${served.url}/event/${empty.id}/scanner/main`)
  await page.getByText('Works offline').waitFor({ timeout: 60_000 })
  const before = await heapOf(page)
  const started = performance.now()
  await page.goto(`${served.url}/event/${eventId}/scanner/main`)
  await page.getByText('of 10,000 in').waitFor({ timeout: 60_000 })
  row('page opened for the first time until the whole list is there', milliseconds(performance.now() - started))
  await page.getByText('Works offline').waitFor({ timeout: 60_000 })
  row(
    'memory of the page with the list, more than with an empty one',
    `${((await heapOf(page)) - before).toFixed(1)} MB`,
  )
  const kB = await page.evaluate(async () => ((await navigator.storage.estimate()).usage ?? 0) / 1000)
  row('storage on the phone: list, page and decoder', `${kB.toFixed(0)} kB`)
  await context.setOffline(true)
  const again = performance.now()
  await page.reload()
  await page.getByText('of 10,000 in').waitFor({ timeout: 60_000 })
  row('page opened anew without network until the list is there', milliseconds(performance.now() - again))
  await page.getByText('No network').waitFor()
  const times: Record<'door:look-up' | 'door:verdict', number[]> = { 'door:look-up': [], 'door:verdict': [] }
  for (const [n, ticket] of tickets.slice(0, SCANS_ON_PHONE).entries()) {
    await page.getByLabel('Name or code').fill(n % 2 ? shortCode(ticket) : ticketUrl(served.url, ticket))
    await page.getByLabel('Name or code').press('Enter')
    await page.getByText(`${n + 1} to send`).waitFor()
    await page.locator('[data-verdict=in]').waitFor()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    for (const name of ['door:look-up', 'door:verdict'] as const)
      times[name].push(await page.evaluate((of) => performance.getEntriesByName(of)[0]?.duration ?? Number.NaN, name))
    await page.keyboard.press('Escape')
  }
  const [looks, verdicts] = [times['door:look-up'], times['door:verdict']]
  row('look-up of a code, median / slowest', `${milliseconds(median(looks))} / ${milliseconds(Math.max(...looks))}`)
  row(
    'code read until the verdict stands, written down, median / slowest',
    `${milliseconds(median(verdicts))} / ${milliseconds(Math.max(...verdicts))}`,
  )
}

async function load(path: string, method: 'GET' | 'POST', bodies: string[] | null, amount: number) {
  const result = await autocannon({
    url: served.url,
    connections: CLIENTS,
    amount,
    // The run ends at the next sample, and the default of a second would be long compared with the whole run.
    sampleInt: 50,
    requests: [
      {
        method,
        path,
        headers: { 'content-type': 'application/json', authorization: token },
        setupRequest: (request) => ({ ...request, ...(bodies && { body: bodies.pop() }) }),
      },
    ],
  })
  if (result.non2xx + result.errors > 0) throw new Error(`${path}: ${result.non2xx} refused, ${result.errors} errors`)
  return { perSecond: result['2xx'] / result.duration, p50: result.latency.p50, p99: result.latency.p99 }
}

/** Sends what phones have queued, as many of them at once as there are clients. */
async function sendQueues(what: string, queued: object[]): Promise<void> {
  const batches = Array.from({ length: queued.length / MOST_SCANS }, (_, n) => {
    const device = { id: `phone${n}`, name: `Phone ${n}` }
    const scans = queued.slice(n * MOST_SCANS, (n + 1) * MOST_SCANS)
    return JSON.stringify({ payload: { eventId, device, scans } })
  })
  const { perSecond, p99 } = await load(doorApi.syncScans.path, 'POST', batches, batches.length)
  row(
    `queued ${what} of ${CLIENTS} phones at once, ${MOST_SCANS} a call`,
    `${(perSecond * MOST_SCANS).toFixed(0)}/s   slowest call ${p99} ms`,
  )
}

/** One redemption of a voucher of each of the latter half of the tickets. */
async function redemptions(): Promise<object[]> {
  const units = [{ name: 'Drink', quantity: 3 }]
  const kind = { eventId, name: 'Drinks', description: '', price: 0, content: units, maxQuantity: null }
  const extras = await call(extrasApi.saveExtras, { payload: kind }, token)
  const { rows } = await sql<{ registrationId: number; purchaseId: number }>`
    with bought as (
      insert into extras_purchases (registration_id, extras_id, name, price, qr_uuid)
      select id, ${extras.payload.id}, 'Drinks', 0, gen_random_uuid() from unnest(${tickets.slice(TICKETS / 2).map(({ id }) => id)}::int[]) as id
      returning id, registration_id
    ), filled as (
      insert into purchase_units (purchase_id, position, name, quantity) select id, 0, 'Drink', 3 from bought
    )
    select id as purchase_id, registration_id from bought
  `.execute(db)
  return rows.map(({ registrationId, purchaseId: extrasPurchaseId }) => ({
    ...{ scanId: randomUUID(), agoMs: 60_000, wasShownIn: true },
    act: { kind: 'redeem', registrationId, extrasPurchaseId, units: [{ name: 'Drink', count: 1 }] },
  }))
}

async function fromManyPhones(): Promise<void> {
  // The first thousand warm the server up, as the first scans of an evening would.
  const singles = tickets
    .slice(SCANS_ON_PHONE, TICKETS / 2)
    .map((ticket) =>
      JSON.stringify({ payload: { qrCodeData: ticketUrl(served.url, ticket), eventId, scanId: randomUUID() } }),
    )
  await load(checkinApi.scanByRegistrationId.path, 'POST', singles.splice(0, 1_000), 1_000)
  const scans = await load(checkinApi.scanByRegistrationId.path, 'POST', singles, singles.length)
  row(
    `scans of ${CLIENTS} phones, each its own call, fsync on`,
    `${scans.perSecond.toFixed(0)}/s   p50 ${scans.p50} ms   p99 ${scans.p99} ms`,
  )
  const queued = tickets.slice(TICKETS / 2).map((ticket) => ({
    ...{ scanId: randomUUID(), agoMs: 60_000, wasShownIn: true },
    act: { kind: 'code', qrCodeData: ticketUrl(served.url, ticket) },
  }))
  await sendQueues('scans', queued)
  await sendQueues('redemptions', await redemptions())
  const { cursor } = (await call(doorApi.getDoorList, { eventId }, token)).payload
  const news = await load(`${doorApi.getDoorList.path}?eventId=${eventId}&since=${cursor}`, 'GET', null, 2_000)
  row('news asked for by 20 phones', `${news.perSecond.toFixed(0)}/s   p50 ${news.p50} ms   p99 ${news.p99} ms`)
}

const browser = await launch()
try {
  console.log(`\nThe door with ${TICKETS.toLocaleString('en-GB')} tickets\n`)
  const plain = await transfer('identity')
  for (const encoding of ['br', 'gzip']) {
    const { kB, ms } = await transfer(encoding)
    row(`the list in one transfer, ${encoding}`, `${kB.toFixed(0)} kB of ${plain.kB.toFixed(0)}   ${milliseconds(ms)}`)
  }
  await onPhone(browser)
  // The browser looks for codes all the time, on the cores that are measured next.
  await browser.close()
  await fromManyPhones()
} finally {
  await browser.close()
  await stop()
}
