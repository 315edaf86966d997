import { afterEach, beforeEach, expect, test } from 'vitest'
import { pageApi, pageTypes } from '../../src/contract/pages.ts'
import { makeFixture } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

test('the static pages say who runs the site, and the operator can replace their text', async () => {
  const { sudo, token } = await makeFixture(app)
  for (const type of pageTypes) {
    const page = await app.call(pageApi.getPage, { type })
    expect(page).toMatchObject({ type, updatedAt: null })
    expect(page.bodyHtml).toContain(type === 'privacy-policy' ? '<h2>Who is responsible</h2>' : '<h2>Contact</h2>')
  }
  await refusalOf(app.call(pageApi.getPage, { type: 'imprint' }), 'NOT_FOUND')
  await refusalOf(app.call(pageApi.save, { type: 'terms', body: 'Mine' }, token), 'NOT_ALLOWED')
  const own = await app.call(pageApi.save, { type: 'terms', body: '**Ours** <script>alert(1)</script>' }, sudo.token)
  expect(own).toMatchObject({
    bodyHtml: '<p><strong>Ours</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p>',
    updatedAt: app.clock.now,
  })
  await app.call(pageApi.save, { type: 'terms', body: '' }, sudo.token)
  expect(await app.call(pageApi.getPage, { type: 'terms' })).toMatchObject({ updatedAt: null })
})
