import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clubApi } from '../../src/contract/clubs.ts'
import { eventApi } from '../../src/contract/events.ts'
import { extrasApi } from '../../src/contract/extras.ts'
import { formApi } from '../../src/contract/forms.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { type Translations, translationApi } from '../../src/contract/translations.ts'
import { buildApp } from '../../src/server/app.ts'
import type { Language } from '../../src/texts/language.ts'
import { renderer } from '../../src/web/rendering/render.tsx'
import { makeClub, makeExtras, makeFixture, makeForm, registrationFor } from '../support/make.ts'
import { atOnce, refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'
import { writeShells } from '../support/write-shells.ts'

let app: TestApp
let webDir: string
let site: FastifyInstance
beforeAll(async () => {
  app = await startApp()
  webDir = mkdtempSync(join(tmpdir(), 'turnout-web-'))
  writeShells(webDir)
  site = await buildApp(app.deps, { webDir, renderer, isServing: () => true })
})
afterAll(async () => {
  await site.close()
  rmSync(webDir, { recursive: true })
  await app.stop()
})

const german = {
  'Summer party': 'Sommerfest',
  'Bring **shoes**': 'Bringt **Schuhe** mit',
  'Meal?': 'Essen?',
  Meat: 'Fleisch',
  Drinks: 'Getränke',
  Drink: 'Getränk',
}

/** An event with a form and a voucher, translated into German. */
async function makeTranslated() {
  const made = await makeFixture(app, { description: 'Bring **shoes**' })
  const { event, token } = made
  const [question] = await makeForm(app, token, event.id, [
    { typeId: 2, text: 'Meal?', required: true, options: ['Meat', 'Vegan'] },
  ])
  const voucher = await makeExtras(app, token, event.id, { name: 'Drinks', content: [{ name: 'Drink', quantity: 3 }] })
  await save(event.id, token, german)
  return { ...made, question, voucher }
}

async function save(eventId: number, token: string, said: Record<string, string>, language: Language = 'de') {
  const texts = Object.entries(said).map(([of, text]) => ({ of, text }))
  return byText(await app.call(translationApi.saveTranslations, { payload: { eventId, language, texts } }, token))
}

const stored = async (eventId: number, token: string) =>
  byText(await app.call(translationApi.getTranslations, { eventId }, token))

/** The translations of what stood in the place of today's texts, by these. */
async function earlier(eventId: number, token: string, wanted: Language = 'de'): Promise<Record<string, string>> {
  const all = await app.call(translationApi.getTranslations, { eventId }, token)
  return Object.fromEntries(
    all.find(({ language }) => language === wanted)?.earlier.map(({ of, text }) => [of, text]) ?? [],
  )
}

/** By language and by the text in the main one. */
function byText(translations: Translations): Record<string, Record<string, string>> {
  return Object.fromEntries(
    translations.map(({ language, texts }) => [language, Object.fromEntries(texts.map(({ of, text }) => [of, text]))]),
  )
}

const open = async (url: string, language: string) =>
  (await site.inject({ url, headers: { 'accept-language': language } })).body
/** Without the data for the script, which has the texts of both languages. */
const shown = (html: string) => html.replace(/<script type="application\/json".*?<\/script>/s, '')

test('visitors read an event in their language, and in the main one what is not translated', async () => {
  const { event, club } = await makeTranslated()
  const page = `/club/${club.id}/event/${event.id}`
  const body = shown(await open(page, 'de'))
  for (const text of [
    '<h1>Sommerfest</h1>',
    'Bringt <strong>Schuhe</strong> mit',
    'Essen?',
    '>Fleisch<',
    '>Vegan<',
    'Getränke',
    '3 × Getränk',
    '<title data-server>Sommerfest | Turnout</title>',
    '"name":"Sommerfest"',
  ])
    expect(body).toContain(text)
  for (const text of ['Summer party', 'Bring <strong>shoes', 'Meal?', '>Meat<']) expect(body).not.toContain(text)
  // The answer is stored as staff wrote it.
  expect(body).toContain('value="Meat"')
  const english = shown(await open(page, 'en'))
  expect(english).toContain('<h1>Summer party</h1>')
  expect(english).not.toContain('Sommerfest')
  expect(shown(await open(`/club/${club.id}/event`, 'de'))).toContain('<h3>Sommerfest</h3>')
})

test('mail, ticket, PDF, voucher and calendar are in the holder’s words; staff see those of the main language', async () => {
  const { event, club, token, question, voucher } = await makeTranslated()
  const before = app.sent.length
  const request = registrationFor(event, { others: [{ qId: question?.id ?? 0, answer: 'Meat' }] })
  const answer = await app.raw(
    registrationApi.initRegistration,
    { ...request, extrasIds: [voucher.id] },
    { 'accept-language': 'de' },
  )
  const { savedRegistration } = (await answer.json()).payload
  const { id, qrUuid } = savedRegistration
  expect(savedRegistration.registrationData.others).toMatchObject([{ question: 'Meal?', answer: 'Meat' }])
  await app.finishMails()
  const mail = app.sent[before]
  expect(mail?.subject).toBe('Dein Ticket: Sommerfest')
  for (const text of ['Gutschein: Getränke', '3 × Getränk']) expect(mail?.text).toContain(text)
  const file = mail?.attachments?.find(({ filename }) => filename === 'event.ics')
  expect(file?.content.toString()).toContain('SUMMARY:Sommerfest')
  const ticket = shown(await open(`/qr/${id}/${qrUuid}`, 'en'))
  for (const text of ['Sommerfest', 'Getränke']) expect(ticket).toContain(text)
  const pdf = await app.raw(ticketApi.getTicketPdf, { registrationId: String(id), qrUuid })
  const document = await getDocument({ data: new Uint8Array(await pdf.arrayBuffer()) }).promise
  const pages = await Promise.all(
    Array.from({ length: document.numPages }, async (_, at) => (await document.getPage(at + 1)).getTextContent()),
  )
  const text = pages.flatMap(({ items }) => items.map((item) => ('str' in item ? item.str : ''))).join(' ')
  // A question mark needs no colon after it.
  for (const part of ['Sommerfest', 'Essen? Fleisch', 'Getränke']) expect(text).toContain(part)
  const staff = await app.raw(
    eventApi.getEvent,
    { eventId: String(event.id) },
    { authorization: token, 'accept-language': 'de' },
  )
  expect((await staff.json()).payload).toMatchObject({
    name: 'Summer party',
    description: 'Bring **shoes**',
    clubId: club.id,
  })
})

test('a changed text is shown as it is until it is translated again, for which the earlier translation helps', async () => {
  const { event, club, token, question } = await makeTranslated()
  const page = `/club/${club.id}/event/${event.id}`
  await app.call(eventApi.save, { id: event.id, name: 'Autumn party', description: 'Bring **boots**' }, token)
  const options = ['Meat', 'Vegan', 'Fish']
  const asked = { typeId: 2, text: 'Your meal?', required: true, options }
  const formQuestions = [{ ...asked, id: question?.id, version: question?.version }]
  await app.call(formApi.save, { payload: { eventId: event.id, formQuestions, rmQIds: [] } }, token)
  const body = shown(await open(page, 'de'))
  // What is not translated says in which language it is.
  const english = ['<h1 lang="en">Autumn party</h1>', 'Bring <strong>boots</strong>', '<legend lang="en">Your meal?']
  for (const text of [...english, '<span>Fleisch</span>', '<span lang="en">Fish</span>']) expect(body).toContain(text)
  expect(body).not.toContain('Schuhe')
  expect(await earlier(event.id, token)).toEqual({
    'Autumn party': 'Sommerfest',
    'Bring **boots**': 'Bringt **Schuhe** mit',
    'Your meal?': 'Essen?',
  })
  const saved = await save(event.id, token, { 'Bring **boots**': 'Bringt **Stiefel** mit', 'Your meal?': 'Essen?' })
  expect(saved.de).toMatchObject({ 'Your meal?': 'Essen?' })
  expect(await earlier(event.id, token)).toEqual({ 'Autumn party': 'Sommerfest' })
  expect(shown(await open(page, 'de'))).toContain('Bringt <strong>Stiefel</strong> mit')
  // With its old name it has its old translation again.
  await app.call(eventApi.save, { id: event.id, name: 'Summer party' }, token)
  expect((await stored(event.id, token)).de).toMatchObject({ 'Summer party': 'Sommerfest' })
  expect(await earlier(event.id, token)).toEqual({})
})

test('each language has its own earlier translations, also of a copy and of a text called like a function', async () => {
  const { event, token } = await makeFixture(app)
  await makeForm(app, token, event.id, [{ typeId: 2, text: 'Who?', required: true, options: ['constructor', 'other'] }])
  const say = (text: string) => ({
    eventId: event.id,
    language: 'de' as const,
    texts: [{ of: 'constructor', text, was: '' }],
  })
  expect(await stored(event.id, token)).toEqual({})
  await app.call(translationApi.saveTranslations, { payload: say('Bauleiter') }, token)
  expect(await earlier(event.id, token)).toEqual({})
  await save(event.id, token, { 'Summer party': 'Sommerfest' })
  await save(event.id, token, { 'Summer party': 'Fête d’été' }, 'fr')
  const startsAt = new Date('2027-01-01T18:00:00Z')
  const copy = await app.call(eventApi.copy, { payload: { eventId: event.id, startsAt } }, token)
  for (const { id } of [event, copy]) {
    await app.call(eventApi.save, { id, name: 'Autumn party' }, token)
    await save(id, token, { 'Autumn party': 'Herbstfest' })
    expect(await earlier(id, token)).toEqual({})
    expect(await earlier(id, token, 'fr')).toEqual({ 'Autumn party': 'Fête d’été' })
  }
})

test('what was sold keeps its translation when it is no longer on sale', async () => {
  const { event, token, question, voucher } = await makeTranslated()
  const others = [{ qId: question?.id ?? 0, answer: 'Meat' }]
  const request = { ...registrationFor(event, { others }), extrasIds: [voucher.id] }
  const answer = await app.raw(registrationApi.initRegistration, request, { 'accept-language': 'de' })
  const { id, qrUuid } = (await answer.json()).payload.savedRegistration
  await app.call(extrasApi.removeExtras, { eventId: event.id, extrasId: voucher.id }, token)
  await save(event.id, token, { Vegan: 'Ohne Fleisch' })
  expect(shown(await open(`/qr/${id}/${qrUuid}`, 'de'))).toContain('Getränke')
})

test('an earlier translation is offered for its own place alone, and never while its text still stands elsewhere', async () => {
  const { event, token, question } = await makeTranslated()
  const asked = { typeId: 2, text: 'Meal?', required: true, options: ['Vegan', 'Meat'] }
  const formQuestions = [{ ...asked, id: question?.id, version: question?.version }]
  await app.call(formApi.save, { payload: { eventId: event.id, formQuestions, rmQIds: [] } }, token)
  expect((await stored(event.id, token)).de).toMatchObject({ Meat: 'Fleisch' })
  expect(await earlier(event.id, token)).toEqual({})
})

test('what a colleague has changed meanwhile is neither overwritten nor taken for translated', async () => {
  const { event, token } = await makeTranslated()
  const send = (of: string, text: string, was: string) =>
    app.call(
      translationApi.saveTranslations,
      { payload: { eventId: event.id, language: 'de', texts: [{ of, text, was }] } },
      token,
    )
  await send('Summer party', 'Das Sommerfest', 'Sommerfest')
  const overwriting = await refusalOf(send('Summer party', 'Unser Sommerfest', 'Sommerfest'), 'EDIT_CONFLICT')
  expect(overwriting.fields).toMatchObject([{ path: 'payload.texts.0.text' }])
  expect(overwriting.fields[0]?.msg()).toContain('Das Sommerfest')
  // The same text is no conflict, and neither is a text that the colleague did not touch.
  await send('Summer party', 'Das Sommerfest', 'Sommerfest')
  await send('Vegan', 'Ohne Fleisch', '')
  await app.call(eventApi.save, { id: event.id, name: 'Autumn party' }, token)
  const outdated = await refusalOf(send('Summer party', 'Unser Sommerfest', 'Das Sommerfest'), 'EDIT_CONFLICT')
  expect(outdated.fields).toMatchObject([{ path: 'payload.texts.0.of' }])
  expect((await stored(event.id, token)).de).toMatchObject({ Vegan: 'Ohne Fleisch' })
})

test('texts that are not named stay, an empty one is removed, and a copy has all of them', async () => {
  const { event, token } = await makeTranslated()
  await save(event.id, token, { Meat: '', Vegan: 'Ohne Fleisch' })
  await save(event.id, token, { 'Summer party': 'Fête d’été' }, 'fr')
  const { Meat: _, ...others } = german
  const all = { de: { ...others, Vegan: 'Ohne Fleisch' }, fr: { 'Summer party': 'Fête d’été' } }
  expect(await stored(event.id, token)).toEqual(all)
  const copy = await app.call(
    eventApi.copy,
    { payload: { eventId: event.id, startsAt: new Date('2027-01-01T18:00:00Z') } },
    token,
  )
  expect(await stored(copy.id, token)).toEqual(all)
  await save(event.id, token, { 'Summer party': '' }, 'fr')
  expect(await stored(event.id, token)).not.toHaveProperty('fr')
})

test('two who translate at the same moment keep both texts', async () => {
  const { event, token } = await makeFixture(app)
  const words = Array.from({ length: 8 }, (_, n) => `Text ${n}`)
  await makeForm(app, token, event.id, [{ typeId: 2, text: 'Which?', required: true, options: words }])
  await Promise.all(atOnce(words, 8, (word) => save(event.id, token, { [word]: `${word} auf Deutsch` })))
  const { de } = await stored(event.id, token)
  expect(Object.keys(de ?? {})).toHaveLength(8)
})

test('only the club’s own staff translate, line breaks belong into descriptions, and there is a limit', async () => {
  const { event, token, sudo } = await makeFixture(app, { description: 'One' })
  const other = await makeClub(app, sudo.token)
  await refusalOf(save(event.id, other.token, { One: 'Eins' }), 'NOT_FOUND')
  await refusalOf(app.call(translationApi.getTranslations, { eventId: event.id }, other.token), 'NOT_FOUND')
  await makeExtras(app, token, event.id, { description: 'Cold' })
  await save(event.id, token, { One: 'Eins\nzwei', Cold: 'Kalt\nund frisch' })
  const refusal = await refusalOf(save(event.id, token, { 'Summer party': 'Sommer\nfest' }), 'INVALID_INPUT')
  expect(refusal.fields[0]).toMatchObject({ path: 'payload.texts.0.text' })
  const tooLong = await refusalOf(save(event.id, token, { 'Summer party': 'x'.repeat(301) }), 'INVALID_INPUT')
  expect(tooLong.fields[0]?.msg()).toBe('Use at most 300 characters.')
  const options = Array.from({ length: 100 }, (_, n) => `Text ${n}`)
  for (let n = 0; n < 15; n++) {
    const own = options.map((text) => `${text} of ${n}`)
    await makeForm(app, token, event.id, [{ typeId: 2, text: `Which ${n}?`, required: true, options: own }])
  }
  const long = Object.fromEntries(
    Array.from({ length: 15 }, (_, n) => options.map((text) => [`${text} of ${n}`, 'x'.repeat(290)])).flat(),
  )
  await refusalOf(save(event.id, token, long), 'TOO_LARGE')
})

test('a club describes itself in each of its languages', async () => {
  const { club, token } = await makeFixture(app)
  await app.call(
    clubApi.save,
    {
      id: club.id,
      description: 'We row.',
      descriptions: [
        { language: 'de', text: 'Wir rudern.' },
        { language: 'fr', text: '' },
      ],
    },
    token,
  )
  const page = `/club/${club.id}/event`
  expect(shown(await open(page, 'de'))).toContain('Wir rudern.')
  for (const language of ['fr', 'en']) expect(shown(await open(page, language))).toContain('We row.')
  expect(await open(page, 'de')).toContain('<meta name="description" content="Wir rudern.">')
})
