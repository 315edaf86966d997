import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Event } from '../../src/contract/event.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { translationApi } from '../../src/contract/translations.ts'
import { type AppUser, appUserApi } from '../../src/contract/users.ts'
import { languageNames, languages } from '../../src/texts/generated/languages.ts'
import * as paths from '../../src/web/paths.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { registrationFor } from '../support/make.ts'
import { callAt, makeEventAt, OPERATOR } from '../support/remote.ts'
import { type Served, serve, until } from '../support/serve.ts'
import { closePages, launch, listenForErrors, openPage, SUDO, signIn, waitUntilLoaded } from './browser.ts'
import { expectPageIn, makeEnglishFinder } from './no-english.ts'

/** The smallest phone that pages are made for. */
const viewport = { width: 320, height: 640 }
const ANA = { email: 'ana@example.org', password: 'correct horse 1' }
let served: Served
let mails: MailServer
let browser: Browser
let event: Event
let token = ''
let ana: Pick<AppUser, 'id' | 'fullName' | 'email' | 'clubId'>
let questionId: number
/** The addresses of the tickets that visitors got, by language. */
const tickets = new Map<string, string>()

beforeAll(async () => {
  mails = await startMailServer()
  served = await serve({ port: 3947, env: { ...OPERATOR, SMTP_URL: mails.url, LIMITS: 'off' } })
  const made = await makeEventAt(served.url)
  event = made.event
  token = made.token
  const { admins } = (await callAt(served.url, appUserApi.getAppUsers, { clubId: event.clubId }, token)).payload
  const [admin] = admins
  if (!admin) throw new Error('The club has no admin.')
  const { id, fullName, email, clubId } = admin
  ana = { id, fullName, email, clubId }
  const question = { typeId: 2, text: 'Menü?', required: true, options: ['Pasta', 'Risotto'] }
  const form = { eventId: event.id, formQuestions: [question], rmQIds: [] }
  const [menu] = (await callAt(served.url, formApi.save, { payload: form }, made.token)).payload
  questionId = menu?.id ?? 0
  const voucher = {
    name: 'Bar',
    description: '',
    maxQuantity: null,
    price: 0,
    content: [{ name: 'Limo', quantity: 2 }],
  }
  await callAt(served.url, extrasApi.saveExtras, { payload: { eventId: event.id, ...voucher } }, made.token)
  browser = await launch()
}, 180_000)
afterEach(({ task }) => closePages(browser, task))
afterAll(async () => {
  await browser.close()
  await served.stop()
  await mails.stop()
})

const [source, ...translations] = languages

/** The messages of one language. */
function catalogOf(language: string): Record<string, Record<string, string>> {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../../src/texts/${language}.json`), 'utf8'))
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(served.url + path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await waitUntilLoaded(page)
}

describe.each(translations)('in %s', (language) => {
  const find = makeEnglishFinder(language)
  const texts = catalogOf(language)
  const guest = `guest-${language}@example.org`

  test('a visitor registers, gets mail and ticket, and reads in English when they choose it', async () => {
    const context = await browser.newContext({ viewport, locale: language })
    const page = await context.newPage()
    const errors = listenForErrors(page, /422/)
    const check = () => expectPageIn(page, language, find)
    for (const path of ['/', '/clubs', '/page/terms', '/page/privacy-policy', '/page/cookie-policy', '/nowhere']) {
      await open(page, path).catch(() => {})
      await check()
    }
    await open(page, `/club/${event.clubId}/event`)
    await check()
    await page.getByRole('link', { name: event.name }).first().click()
    await page.waitForURL(/\/event\/\d+$/)
    const form = page.locator('#registration-form')
    await form.getByRole('button', { name: texts.registration?.register ?? '', exact: true }).click()
    await form.getByRole('alert').first().waitFor()
    await check()
    await page.locator('[name=name]').fill(`Zoé ${language}`)

    // What was typed stays when the language changes.
    await page.getByRole('button', { name: languageNames[source] }).click()
    await page.getByRole('heading', { name: 'Register' }).waitFor()
    // The page's script puts it back once it runs.
    await expect.poll(() => page.locator('[name=name]').inputValue(), { timeout: 30_000 }).toBe(`Zoé ${language}`)
    await page.getByRole('button', { name: languageNames[language] }).click()
    await page.getByRole('heading', { name: texts.event?.register ?? '' }).waitFor()

    await page.locator('[name=email]').fill(guest)
    await page.locator('[data-name=phone]').fill('+49 30 1234567')
    await page.getByRole('radio', { name: 'Pasta' }).check()
    await form.getByRole('button', { name: texts.registration?.register ?? '', exact: true }).click()
    await page.waitForURL(/success/)
    await page.getByRole('heading', { name: texts.registered?.youAreRegistered ?? '' }).waitFor()
    await check()
    await page.locator('a[href^="/qr/"]').first().click()
    await page.waitForURL(/\/qr\//)
    tickets.set(language, page.url())
    await page.getByRole('heading', { level: 1 }).waitFor()
    await check()
    const pdf = page.locator('a[href*="getTicketPdf"]')
    const answer = await context.request.get(served.url + (await pdf.first().getAttribute('href')))
    expect(find(await textOfPdf(await answer.body()))).toEqual([])

    await until(async () => mailTo(guest) !== undefined, 30_000, 'the mail has come')
    const { subject = '', text = '', html = '', from } = mailTo(guest)?.parsed ?? {}
    expect(find([subject, text, from?.name].join('\n'))).toEqual([])
    expect(html).toContain(`<html lang="${language}"`)

    await open(page, '/signin')
    await page.locator('[name=email]').fill('nobody@example.org')
    await page.locator('[name=password]').fill('wrong password')
    await page.getByRole('button', { name: texts.signIn?.signIn ?? '' }).click()
    await page.getByRole('alert').first().waitFor()
    await check()
    expect(errors.filter((error) => !/40[14]/.test(error))).toEqual([])
  })

  test('at the door its holder is let in once, in the language that staff chose in their profile', async () => {
    const context = await browser.newContext({ viewport, locale: 'en', permissions: ['camera'] })
    const page = await context.newPage()
    const check = () => expectPageIn(page, language, find)
    await signIn(page, served, ANA)
    await open(page, '/profile')
    await page.locator('select[name=language]').selectOption(language)
    await page.locator('form').first().locator('button[type=submit]').click()
    await page.getByRole('heading', { level: 1, name: texts.users?.yourProfile ?? '' }).waitFor()
    await check()
    await page.goto(`${served.url}/event/${event.id}/scanner/main`)
    const scan = async (code: string, verdict = '') => {
      await page.getByLabel(texts.door?.nameOrCode ?? '').fill(code)
      await page.getByRole('button', { name: texts.door?.find ?? '', exact: true }).click()
      await page.getByText(verdict, { exact: true }).first().waitFor()
      await check()
    }
    await scan(tickets.get(language) ?? '', texts.door?.valid)
    await scan(tickets.get(language) ?? '', texts.door?.alreadyIn)
    await scan('nonsense', texts.door?.unknownCode)
  })
})

test('a language chosen before the page’s script has come takes effect', async () => {
  const page = await openPage(browser, viewport)
  // Never answered, as on a network that has just gone.
  await page.route('**/assets/take-over-*', () => {})
  await page.goto(`${served.url}/club/${event.clubId}/event/${event.id}`, { waitUntil: 'commit' })
  await page.getByRole('button', { name: languageNames.de }).click()
  await page.locator('html[lang=de]').waitFor()
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
})

test('a ticket that the device has stored changes its language too, and opens in it without network', async () => {
  const page = await openPage(browser, viewport)
  const input = registrationFor(event, { name: 'Kept', others: [{ qId: questionId, answer: 'Pasta' }] })
  const { savedRegistration } = (await callAt(served.url, registrationApi.initRegistration, input)).payload
  await page.goto(served.url + paths.ticket(savedRegistration))
  await page.getByText('Kept on this device: it opens without network too.').waitFor()
  // From now on the device opens it itself.
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Your ticket' }).waitFor()
  expect(await page.locator('html').getAttribute('data-rendered')).toBeNull()
  await page.getByRole('button', { name: languageNames.de }).click()
  await page.getByRole('heading', { level: 1, name: 'Dein Ticket' }).waitFor()
  await page.getByText('Auf diesem Gerät gespeichert: Es öffnet sich auch ohne Netz.').waitFor()
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Dein Ticket' }).waitFor()
  await page.getByRole('button', { name: languageNames.fr }).click()
  await page.getByText('Die Sprache konnte nicht geändert werden').waitFor()
  const [chosen] = (await page.context().cookies()).filter(({ name }) => name === 'language')
  expect(chosen?.value).toBe('de')
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Dein Ticket' }).waitFor()
})

// What is left in English would be left in every language; that the longest words fit is in layouts.e2e.ts.
describe('in German', () => {
  const find = makeEnglishFinder('de')
  const visit = async (page: Page, path: string) => {
    await open(page, path)
    await expectPageIn(page, 'de', find)
  }

  test('staff’s pages have no English left; another device brings the language along', async () => {
    const page = await openPage(browser, viewport)
    await page.goto(`${served.url}/signin`)
    await page.getByLabel('E-mail').fill(ANA.email)
    await page.getByLabel('Password', { exact: true }).fill(ANA.password)
    await callAt(served.url, appUserApi.save, { payload: { ...ana, language: 'de' } }, token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(/dashboard\/admin/)
    const sections = ['', '/attendees', '/form', '/vouchers', '/translations', '/statistics', '/edit']
    const paths = ['/dashboard/admin', '/club/edit', '/event/add', '/profile']
    for (const path of [...paths, ...sections.map((section) => `/event/${event.id}${section}`)]) await visit(page, path)
    // The calendar takes its words from a library of its own.
    await page.goto(`${served.url}/event/add`)
    await page.getByRole('button', { name: 'Datum und Uhrzeit wählen: Beginn' }).click()
    await page.getByRole('dialog').getByText('Di', { exact: true }).waitFor()
  })

  test('nor have the operator’s', async () => {
    const context = await browser.newContext({ viewport })
    await context.addCookies([{ name: 'language', value: 'de', url: served.url }])
    const page = await context.newPage()
    await signIn(page, served, SUDO)
    const { clubId } = event
    for (const path of ['/dashboard/sudo', '/platform', '/club/add', `/club/${clubId}/credential`, '/page/terms/edit'])
      await visit(page, path)
  })

  test('staff translate an event, and its visitors read it in their language', async () => {
    const page = await openPage(browser)
    await signIn(page, served, ANA)
    const texts = catalogOf('de')
    await open(page, `/event/${event.id}/edit`)
    await page.getByRole('link', { name: texts.eventForm?.translations ?? '' }).click()
    await page.getByRole('heading', { level: 1, name: texts.translations?.translations ?? '' }).waitFor()
    await page.getByText('Français').click()
    await page.getByLabel('Event: Rush').fill('La ruée')
    await page.getByLabel('Auswahl: Pasta').fill('Pâtes')
    // What was typed for one language stays while another one is looked at.
    await page.getByText('Italiano').click()
    expect(await page.getByLabel('Event: Rush').inputValue()).toBe('')
    await page.getByText('Français').click()
    expect(await page.getByLabel('Event: Rush').inputValue()).toBe('La ruée')
    await page.getByRole('button', { name: texts.translations?.save ?? '', exact: true }).click()
    await page
      .getByText(texts.translations?.saved ?? '', { exact: true })
      .first()
      .waitFor()
    const visitor = await openPage(browser, viewport)
    await visitor.goto(`${served.url}/club/${event.clubId}/event/${event.id}?lang=fr`)
    await visitor.getByRole('heading', { level: 1, name: 'La ruée' }).waitFor()
    expect(await visitor.getByRole('radio', { name: 'Pâtes' }).getAttribute('value')).toBe('Pasta')
    // Without translations nothing changes: only the language of the page. The club's words say in which language they are.
    await visitor.goto(`${served.url}/club/${event.clubId}/event/${event.id}?lang=it`)
    const heading = visitor.getByRole('heading', { level: 1, name: 'Rush' })
    expect(await heading.getAttribute('lang')).toBe('en')
    expect(await visitor.getByText('Pasta').getAttribute('lang')).toBe('en')
    expect(await visitor.locator('html').getAttribute('lang')).toBe('it')
  })

  test('of a changed description, staff use the earlier translation as it is', async () => {
    const { id, clubId } = event
    const describeIt = (description: string) => callAt(served.url, eventApi.save, { id, description }, token)
    await describeIt('Bring a jersey.')
    const texts = [{ of: 'Bring a jersey.', text: 'Apportez un maillot.' }]
    const payload = { eventId: id, language: 'fr' as const, texts }
    await callAt(served.url, translationApi.saveTranslations, { payload }, token)
    await describeIt('Bring a jersey!')
    const said = catalogOf('de').translations ?? {}
    const page = await openPage(browser)
    await signIn(page, served, ANA)
    await open(page, `/event/${id}/translations`)
    await page.getByText('Français').click()
    await page.getByRole('button', { name: said.takeEarlier ?? '' }).press('Enter')
    const field = page.getByLabel(said.kindDescription ?? '', { exact: true })
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await field.inputValue()).toBe('Apportez un maillot.')
    await page.getByRole('button', { name: said.save ?? '', exact: true }).click()
    await page
      .getByText(said.saved ?? '', { exact: true })
      .first()
      .waitFor()
    const visitor = await openPage(browser, viewport)
    await visitor.goto(`${served.url}/club/${clubId}/event/${id}?lang=fr`)
    const shown = visitor.locator('.prose', { hasText: 'Apportez un maillot.' })
    expect(await shown.getAttribute('lang')).toBeNull()
    await visitor.goto(`${served.url}/club/${clubId}/event/${id}?lang=it`)
    expect(await visitor.locator('.prose', { hasText: 'Bring a jersey!' }).getAttribute('lang')).toBe('en')
  })

  test('a new language of one’s own is there at once, without a question whether to leave', async () => {
    const page = await openPage(browser)
    await signIn(page, served, ANA)
    await open(page, '/profile')
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    for (const language of ['it', 'de']) {
      await page.locator('select[name=language]').selectOption(language)
      await page.locator('button[aria-describedby=save-state]').click()
      await page.locator(`html[lang=${language}]`).waitFor()
    }
    expect(asked).toEqual([])
  })

  test('a translation typed while a colleague changes the original stays, and is saved for the new one', async () => {
    const texts = catalogOf('de')
    const { id } = event
    const page = await openPage(browser)
    await signIn(page, served, ANA)
    await open(page, `/event/${id}/translations`)
    const press = () => page.getByRole('button', { name: texts.translations?.save ?? '', exact: true }).click()
    await page.getByText('Español').click()
    await page.getByLabel('Event: Rush').fill('La carrera')
    await callAt(served.url, eventApi.save, { id, name: 'Rush hour' }, token)
    await press()
    await page.getByText(texts.api?.originalChangedMeanwhile ?? '').waitFor()
    expect(await page.getByLabel('Event: Rush hour').inputValue()).toBe('La carrera')
    await press()
    await page
      .getByText(texts.translations?.saved ?? '', { exact: true })
      .first()
      .waitFor()
    const visitor = await openPage(browser, viewport)
    await visitor.goto(`${served.url}/club/${event.clubId}/event/${id}?lang=es`)
    await visitor.getByRole('heading', { level: 1, name: 'La carrera' }).waitFor()
    await callAt(served.url, eventApi.save, { id, name: 'Rush' }, token)
  })
})

const mailTo = (address: string) => mails.taken.find(({ envelope }) => envelope.to.includes(address))

async function textOfPdf(bytes: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(bytes) }).promise
  const { items } = await (await document.getPage(1)).getTextContent()
  return items.map((item) => ('str' in item ? item.str : '')).join('\n')
}
