import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Piscina } from 'piscina'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTurns } from '../turns.ts'
import { makeRenderApart, renderApart } from './render-apart.ts'
import { render } from './render-thread.ts'

let folder: string
let slow: Piscina
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnout-render-'))
  const file = join(folder, 'slow.mjs')
  writeFileSync(file, "export function render(text) { while (text === 'for ever'); return '<p>' + text + '</p>' }")
  slow = new Piscina({ filename: pathToFileURL(file).href, minThreads: 0, maxThreads: 1 })
})
afterAll(async () => {
  await slow.destroy()
  rmSync(folder, { recursive: true, force: true })
})

test('a text that takes too long is refused by the name of its field, and the next one is rendered', async () => {
  const renderSlowly = makeRenderApart(slow, makeTurns({ mostWaiting: 5, mostWaitingOfOne: 5 }), 100)
  const text = { owner: 'club 1', field: 'description' }
  const refused = expect(renderSlowly({ ...text, markdown: 'for ever' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    fields: [{ path: 'description' }],
  })
  const next = renderSlowly({ ...text, owner: 'club 2', markdown: 'short' })
  await refused
  expect(await next).toBe('<p>short</p>')
})

test('the thread renders Markdown', async () => {
  expect(await renderApart({ markdown: '*Hi*', owner: 'club 1', field: 'description' })).toBe('<p><em>Hi</em></p>')
})

test('quotes and lists within each other are rendered up to a depth', () => {
  expect(render(`${'>'.repeat(20)} deep`)).toContain('deep')
  expect(render(`${'>'.repeat(101)} deep`)).toBeNull()
  expect(render('# A\n\n- b\n- c\n\nd  \ne\n\n---\n\n'.repeat(50))).toContain('<hr />')
})
