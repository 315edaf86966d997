import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeImage, variantName } from '../../src/server/images/image-files.ts'
import { storeImage } from '../../src/server/images/make-image.ts'
import { claimImages } from '../../src/server/images/ownership.ts'
import { sweepImages } from '../../src/server/images/sweep.ts'
import { makeFixture } from '../support/make.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

let app: TestApp
/** A club's logo in use: two files. */
let logo: string
beforeEach(async () => {
  app = await startApp()
  const { club } = await makeFixture(app)
  logo = await newLogo()
  await setLogo(logo)
  expect(await claimImages(app.deps)).toBeNull()
  setTimes()

  async function setLogo(file: string) {
    await app.deps.db.updateTable('clubs').set({ logo: file }).where('id', '=', club.id).execute()
  }
})
afterEach(() => app.stop())

const folder = () => join(app.dataDir, 'images')
const trash = () => join(folder(), 'removed')
const filesIn = (path: string) => readdirSync(path).filter((name) => /^[0-9a-f]{32}/.test(name))
const nameLogo = (file: string) => app.deps.db.updateTable('clubs').set({ logo: file }).execute()
const statusOf = async (file: string) => (await fetch(`${app.url}/api/club-logo/${file}`)).status
const pass = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}

async function newLogo(): Promise<string> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#6464d3' } })
  const upload = { kind: 'club-logo' as const, bytes: await picture.png().toBuffer(), field: 'logo', owner: 'club 1' }
  return (await storeImage(app.deps.images, upload)).file
}

/** Sets the files' times by the test's clock; by default they are two hours old. */
function setTimes(age = 2 * HOUR): void {
  const at = new Date(app.clock.now.getTime() - age)
  for (const path of [folder(), trash()]) for (const name of filesIn(path)) utimesSync(join(path, name), at, at)
}

function addOrphan(digit: string): string {
  const name = `${digit.repeat(32)}.jpg`
  writeFileSync(join(folder(), name), 'orphan')
  setTimes()
  return name
}

test('a file without a row goes to the trash after three days and is deleted after thirty more; what is in use stays', async () => {
  const orphan = addOrphan('f')
  const part = `${'e'.repeat(32)}.jpg.part`
  writeFileSync(join(folder(), part), 'half')
  setTimes()
  const foreign = join(folder(), 'notes.txt')
  writeFileSync(foreign, 'not ours')
  expect(await sweepImages(app.deps)).toBe(0)
  pass(3 * DAY - 1)
  expect(await sweepImages(app.deps)).toBe(0)
  pass(1)
  expect(await sweepImages(app.deps)).toBe(2)
  expect(filesIn(trash()).sort()).toEqual([part, orphan])
  expect(filesIn(folder())).toHaveLength(2)

  setTimes(0)
  pass(30 * DAY)
  await sweepImages(app.deps)
  expect(filesIn(trash())).toHaveLength(2)
  pass(1)
  await sweepImages(app.deps)
  expect([filesIn(trash()), filesIn(folder()).length, existsSync(foreign)]).toEqual([[], 2, true])
})

test('the time of an unused file starts again after it was saved or had a row', async () => {
  const orphan = addOrphan('f')
  const now = app.clock.now
  utimesSync(join(folder(), orphan), now, now)
  await sweepImages(app.deps)
  setTimes()
  pass(3 * DAY)
  expect(await sweepImages(app.deps)).toBe(0)
  await app.deps.db.updateTable('events').set({ banner: orphan }).execute()
  pass(DAY)
  await sweepImages(app.deps)
  await app.deps.db.updateTable('events').set({ banner: '' }).execute()
  pass(2 * DAY)
  expect(await sweepImages(app.deps)).toBe(0)
})

test('a replaced image is not served, and is there again when a restored backup names it', async () => {
  const next = await newLogo()
  await nameLogo(next)
  await removeImage(app.deps.images, 'club-logo', logo)
  expect([await statusOf(logo), await statusOf(next)]).toEqual([404, 200])
  await nameLogo(logo)
  expect(await statusOf(logo)).toBe(200)
  expect(filesIn(trash())).toEqual([variantName(logo, 'club-logo', null, true)])
  await sweepImages(app.deps)
  expect(filesIn(trash())).toEqual([])
})

test('what a restored backup names is taken back even when it is due for deletion', async () => {
  await removeImage(app.deps.images, 'club-logo', logo)
  setTimes(40 * DAY)
  await sweepImages(app.deps)
  expect([filesIn(folder()).length, filesIn(trash())]).toEqual([2, []])
})

test('images of another database are never swept, and the reason is reported', async () => {
  addOrphan('f')
  await sql`update installation set id = gen_random_uuid()`.execute(app.deps.db)
  expect(await claimImages(app.deps)).toContain('belong to another database')
  for (let look = 0; look < 2; look++) {
    expect(await sweepImages(app.deps)).toBe(0)
    pass(4 * DAY)
  }
  expect(filesIn(folder())).toHaveLength(3)
})

test('a folder without a mark is claimed when it is empty or its files have rows, not when they are foreign', async () => {
  const mark = join(folder(), 'installation-id')
  const { id } = await app.deps.db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  expect(readFileSync(mark, 'utf8').trim()).toBe(id)
  rmSync(mark)
  expect(await claimImages(app.deps)).toBeNull()
  rmSync(mark)
  addOrphan('f')
  expect(await claimImages(app.deps)).toContain(`write ${id} into`)
  expect(existsSync(mark)).toBe(false)
  for (const name of filesIn(folder())) rmSync(join(folder(), name))
  expect(await claimImages(app.deps)).toBeNull()
})

test('nothing is swept when the database has no club, or when too many files have no row', async () => {
  for (const digit of '01234567') addOrphan(digit)
  for (let look = 0; look < 2; look++) {
    expect(await sweepImages(app.deps)).toBe(0)
    pass(4 * DAY)
  }
  for (const digit of '01234567') rmSync(join(folder(), `${digit.repeat(32)}.jpg`))
  addOrphan('f')
  // A club that is there keeps an owner.
  await app.deps.db.updateTable('clubs').set({ removedAt: app.clock.now }).execute()
  await app.deps.db.deleteFrom('users').execute()
  await app.deps.db.deleteFrom('clubs').execute()
  for (let look = 0; look < 2; look++) {
    expect(await sweepImages(app.deps)).toBe(0)
    pass(4 * DAY)
  }
  expect(filesIn(folder())).toHaveLength(3)
})
