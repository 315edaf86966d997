import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clubApi } from '../../src/contract/clubs.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { saveWithImage } from '../../src/server/images/save-with-image.ts'
import { jobSteps } from '../../src/server/job-steps.ts'
import { workOnJobs } from '../../src/server/jobs/worker.ts'
import { makeFixture } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

const files = () =>
  readdirSync(join(app.dataDir, 'images'))
    .filter((name) => /^[0-9a-f]{32}/.test(name))
    .sort()

/** A photo as from a phone: rotated by its metadata, which also has the location. */
function photo(width = 2000, height = 1000): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#6464d3' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExif({ IFD0: { Copyright: 'Secret place' } })
    .toBuffer()
}

interface Form {
  fields: Record<string, string>
  file?: { name: string; bytes: Uint8Array; type?: string; fileName?: string }
}

function post(path: string, token: string, { fields, file }: Form): Promise<Response> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  if (file)
    body.append(
      file.name,
      new Blob([new Uint8Array(file.bytes)], { type: file.type ?? 'image/jpeg' }),
      file.fileName ?? 'me.jpg',
    )
  return fetch(app.url + path, { method: 'POST', body, headers: { authorization: token } })
}

test('a form with two files is refused', async () => {
  const { event, token } = await makeFixture(app)
  const body = new FormData()
  body.append('id', String(event.id))
  for (const name of ['a.jpg', 'b.jpg']) body.append('banner', new Blob([new Uint8Array(await photo())]), name)
  const answer = await fetch(`${app.url}/api/event/save`, { method: 'POST', body, headers: { authorization: token } })
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ errors: [{ path: 'banner', msg: 'Send one file.' }] })
})

test('a banner is rotated upright, stripped of metadata, resized, and served in a format that the browser accepts', async () => {
  const { event, token } = await makeFixture(app)
  const bytes = await photo()
  const response = await post('/api/event/save', token, {
    fields: { id: String(event.id) },
    file: { name: 'banner', bytes },
  })
  expect(response.status).toBe(200)
  const { banner } = (await response.json()).payload
  expect(banner).toMatch(/^[0-9a-f]{32}\.jpg$/)

  const get = async (query: string, accept: string) => {
    const image = await fetch(`${app.url}/api/event-banner/${banner}${query}`, { headers: { accept } })
    expect(image.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const content = Buffer.from(await image.arrayBuffer())
    expect(content.includes('Secret place')).toBe(false)
    const { format, width, height } = await sharp(content).metadata()
    expect(image.headers.get('content-type')).toBe(`image/${format}`)
    return { format, width, height }
  }
  expect(await get('', 'image/avif,image/webp,*/*')).toEqual({ format: 'webp', width: 800, height: 1600 })
  expect(await get('', '*/*')).toEqual({ format: 'jpeg', width: 800, height: 1600 })
  expect(await get('?w=640', '*/*')).toEqual({ format: 'jpeg', width: 400, height: 800 })
})

test('a banner’s shape is kept with the event, and goes with it', async () => {
  const { event, token } = await makeFixture(app)
  const save = async (form: Form) => (await (await post('/api/event/save', token, form)).json()).payload.bannerRatio
  expect(event.bannerRatio).toBeNull()
  const fields = { id: String(event.id) }
  expect(await save({ fields, file: { name: 'banner', bytes: await photo() } })).toBeCloseTo(0.5)
  expect(await save({ fields: { ...fields, name: 'Other name' } })).toBeCloseTo(0.5)
  expect(await save({ fields: { ...fields, removeBanner: 'true' } })).toBeNull()
})

test('a club’s cover is replaced, removed, and goes with the club', async () => {
  const { club, sudo, token } = await makeFixture(app)
  const fields = { clubId: String(club.id) }
  const save = async (form: Form) => (await (await post('/api/club/saveCover', token, form)).json()).payload
  const { cover, version } = await save({ fields, file: { name: 'cover', bytes: await photo() } })
  expect((await fetch(`${app.url}/api/event-banner/${cover}?w=800`)).status).toBe(200)
  expect(version).toBe(club.version + 1)
  // With neither a picture nor a removal nothing changes.
  expect(await save({ fields })).toMatchObject({ cover, version })
  const other = (await save({ fields, file: { name: 'cover', bytes: await photo(800, 400) } })).cover
  expect(other).not.toBe(cover)
  expect((await fetch(`${app.url}/api/event-banner/${cover}`)).status).toBe(404)
  expect((await save({ fields: { ...fields, removeCover: 'true' } })).cover).toBe('')
  expect(files()).toEqual([])
  await save({ fields, file: { name: 'cover', bytes: await photo() } })
  await app.call(clubApi.removeClub, { clubId: club.id }, sudo.token)
  await workOnJobs(app.deps, jobSteps)
  expect(files()).toEqual([])
})

test('each kind of image is served at its own address alone', async () => {
  const { event, club, token } = await makeFixture(app)
  const bytes = await photo(400, 400)
  const send = async (path: string, fields: Record<string, string>, name: string) => {
    const response = await post(path, token, { fields, file: { name, bytes } })
    return (await response.json()).payload
  }
  const { banner } = await send('/api/event/save', { id: String(event.id) }, 'banner')
  const { logo } = await send('/api/club/save', { id: String(club.id) }, 'logo')
  const { admins } = await app.call(appUserApi.getAppUsers, { clubId: club.id }, token)
  const [{ id = 0, fullName = '', email = '' } = {}] = admins
  const payload = JSON.stringify({ id, fullName, email, clubId: club.id })
  const { image } = await send('/api/appUser/save', { payload }, 'image')
  const kinds = ['user', 'club-logo', 'event-banner']
  const statuses = async (file: string) =>
    Promise.all(kinds.map(async (kind) => (await fetch(`${app.url}/api/${kind}/${file}`)).status))
  expect(await statuses(image)).toEqual([200, 404, 404])
  expect(await statuses(logo)).toEqual([404, 200, 404])
  expect(await statuses(banner)).toEqual([404, 404, 200])
})

test('form fields are converted to their types, and an image is replaced and removed with its files', async () => {
  const { club, token } = await makeFixture(app)
  const bytes = await sharp({
    create: { width: 600, height: 600, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  })
    .png()
    .toBuffer()
  const fields = {
    name: 'Form event',
    startsAt: '2026-12-01T18:00:00Z',
    endsAt: '2026-12-01T20:00:00Z',
    maxAttendees: '25',
    ticketPrice: '0',
  }
  const made = await post('/api/event/save', token, { fields, file: { name: 'banner', bytes, type: 'image/png' } })
  expect((await made.json()).payload).toMatchObject({ name: 'Form event', maxAttendees: 25, clubId: club.id })

  const logo = async (form: Partial<Form>): Promise<string> => {
    const { fields: given = {}, ...rest } = form
    const response = await post('/api/club/save', token, { fields: { id: String(club.id), ...given }, ...rest })
    return (await response.json()).payload.logo
  }
  const before = files()
  const first = await logo({ file: { name: 'logo', bytes } })
  const second = await logo({ file: { name: 'logo', bytes } })
  expect(second).not.toBe(first)
  const now = files().filter((file) => !before.includes(file))
  expect(now).toEqual([second, second.replace('.png', '.webp')].sort())
  expect((await fetch(`${app.url}/api/club-logo/${first}`)).status).toBe(404)
  expect(await logo({ fields: { removeLogo: 'true' } })).toBe('')
  expect(files()).toEqual(before)
})

test('a photo can be uploaded together with a new user', async () => {
  const { admin, club, token } = await makeFixture(app)
  const payload = JSON.stringify({ id: admin.id, fullName: 'With photo', email: admin.email, clubId: club.id })
  const bytes = await photo(300, 400)
  const response = await post('/api/appUser/save', token, { fields: { payload }, file: { name: 'image', bytes } })
  const { image, fullName } = (await response.json()).payload
  expect(fullName).toBe('With photo')
  const served = await fetch(`${app.url}/api/user/${image}`)
  expect(await sharp(Buffer.from(await served.arrayBuffer())).metadata()).toMatchObject({ width: 256, height: 256 })
})

test('a file that is not an image is refused by its content, whatever its declared type, and nothing is saved', async () => {
  const { event, token } = await makeFixture(app)
  const good = await photo()
  const bomb = Buffer.from(good)
  const sof = bomb.indexOf(Buffer.from([0xff, 0xc0]))
  bomb.writeUInt16BE(65_000, sof + 5)
  bomb.writeUInt16BE(65_000, sof + 7)
  const cases = {
    text: Buffer.from('hello'),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    gif: await sharp(good).gif().toBuffer(),
    'cut short': good.subarray(0, 300),
    'enormous by its own word': bomb,
    empty: Buffer.alloc(0),
  }
  for (const [what, bytes] of Object.entries(cases)) {
    const fields = { id: String(event.id), name: 'Changed' }
    const response = await post('/api/event/save', token, { fields, file: { name: 'banner', bytes } })
    expect([response.status, await response.json()], what).toMatchObject([422, { errors: [{ path: 'banner' }] }])
  }
  const huge = await post('/api/event/save', token, {
    fields: { id: String(event.id) },
    file: { name: 'banner', bytes: Buffer.alloc(10 * 1024 * 1024 + 1) },
  })
  expect([huge.status, await huge.json()]).toMatchObject([413, { code: 'TOO_LARGE' }])
  expect(files()).toEqual([])
  const after = await app.deps.db.selectFrom('events').select(['name', 'banner']).executeTakeFirstOrThrow()
  expect(after).toEqual({ name: event.name, banner: '' })
})

test('a grey logo of 16 bits keeps its colour and its transparent ground', async () => {
  const { club, token } = await makeFixture(app)
  const bytes = await sharp({
    create: { width: 40, height: 20, channels: 4, background: { r: 128, g: 128, b: 128, alpha: 0.5 } },
  })
    .toColourspace('grey16')
    .png()
    .toBuffer()
  expect(await sharp(bytes).metadata()).toMatchObject({ depth: 'ushort', channels: 2 })
  const response = await post('/api/club/save', token, {
    fields: { id: String(club.id) },
    file: { name: 'logo', bytes },
  })
  const { logo } = (await response.json()).payload
  const image = await fetch(`${app.url}/api/club-logo/${logo}`)
  const { data, info } = await sharp(Buffer.from(await image.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(info).toMatchObject({ width: 40, height: 20, channels: 4 })
  expect([...data.subarray(0, 4)]).toEqual([128, 128, 128, 128])
})

test('a picture that takes too much memory is refused with its size, before it is decoded', async () => {
  const { event, token } = await makeFixture(app)
  const bytes = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: '#fff' } })
    .png({ progressive: true, compressionLevel: 1, palette: false })
    .toBuffer()
  // The header claims 16 bits per channel.
  bytes.writeUInt8(16, 24)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  const response = await post('/api/event/save', token, {
    fields: { id: String(event.id) },
    file: { name: 'banner', bytes },
  })
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { errors: [{ path: 'banner', msg: expect.stringContaining('5000 × 5000 pixels at 16 bits') }] },
  ])
})

test('when the database fails while a row is saved, the sweep removes its new file', async () => {
  const upload = await photo(40, 20)
  const change = { kind: 'event-banner' as const, field: 'banner', upload, clubId: 1, remove: false }
  const lost = Object.assign(new Error('Connection terminated unexpectedly'), { code: undefined })
  await expect(saveWithImage(app.deps, change, () => Promise.reject(lost))).rejects.toBe(lost)
  const left = files()
  expect(left).toHaveLength(4)
  // If the database refused the row, it is certainly not saved, so the file is removed at once.
  const refused = Object.assign(new Error('duplicate key'), { code: '23505' })
  await expect(saveWithImage(app.deps, change, () => Promise.reject(refused))).rejects.toBe(refused)
  expect(files()).toEqual(left)
})

test('a form that breaks off or goes to a call without files is refused', async () => {
  const { token } = await makeFixture(app)
  const headers = { authorization: token, 'content-type': 'multipart/form-data; boundary=x' }
  const broken = await fetch(`${app.url}/api/event/save`, {
    method: 'POST',
    headers,
    body: '--x\r\nContent-Disposition: form-data; name="id"\r\n\r\n1',
  })
  expect(broken.status).toBe(400)
  const wrong = await fetch(`${app.url}/api/checkin/save`, { method: 'POST', headers, body: '--x--' })
  expect(wrong.status).toBe(415)
})

test('a file name cannot leave the image folder', async () => {
  for (const name of ['..%2f..%2fpackage.json', 'x.jpg', `${'0'.repeat(32)}.jpg`, `${'0'.repeat(32)}.svg`, 'null'])
    expect((await fetch(`${app.url}/api/user/${name}`)).status).toBe(404)
})
