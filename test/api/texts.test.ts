import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventApi } from '../../src/contract/events.ts'
import { pageApi } from '../../src/contract/pages.ts'
import { textApi } from '../../src/contract/texts.ts'
import { makeFixture } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const text = '## Bring\n\n1. *boots*\n2. [a map](https://a.example) <b>\n\n[x](javascript:alert(1))'

test('a preview is what visitors see once the text is saved, on an event and on a static page', async () => {
  const { sudo, token, event } = await makeFixture(app)
  const { html } = await app.call(textApi.preview, { text }, token)
  expect(html).toContain('<h2>Bring</h2>')
  expect(html).not.toContain('<b>')
  expect(html).not.toContain('javascript:')
  await app.call(eventApi.save, { id: event.id, description: text }, token)
  expect((await app.call(eventApi.getEvent, { eventId: event.id })).descriptionHtml).toBe(html)

  expect(await app.call(textApi.preview, { text }, sudo.token)).toEqual({ html })
  await app.call(pageApi.save, { type: 'terms', body: text }, sudo.token)
  expect((await app.call(pageApi.getPage, { type: 'terms' })).bodyHtml).toBe(html)
})

test('a preview of nothing is empty, and what could not be saved is refused', async () => {
  const { token } = await makeFixture(app)
  expect(await app.call(textApi.preview, { text: ' \n' }, token)).toEqual({ html: '' })
  for (const refused of [`${'>'.repeat(200)} deep`, 'x'.repeat(50_001)]) {
    const refusal = await refusalOf(app.call(textApi.preview, { text: refused }, token), 'INVALID_INPUT')
    expect(refusal.fields.map(({ path }) => path)).toEqual(['text'])
  }
  await refusalOf(app.call(textApi.preview, { text }), 'SIGN_IN_NEEDED')
})
