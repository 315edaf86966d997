import { expect, test } from 'vitest'
import { type Colour, contrast } from '../../contract/values/colours.ts'
import { mailPage } from './layout.ts'
import type { MailFrame, MailPart } from './mail-parts.ts'

const frame: MailFrame = { sender: 'Rowing Club', contact: ['club@example.org', 'https://club.example'] }
const parts: MailPart[] = [{ title: 'Summer party' }, { greeting: 'Hello Ada,' }, { text: 'You are registered.' }]
/** All words of the page, in their order. */
const wordsOf = (html: string) => html.slice(html.indexOf('<body')).replace(/<[^>]*>|&[^;]+;/g, ' ')

test('an inbox shows the preview before anything else, and by itself the first paragraph', () => {
  expect(wordsOf(mailPage('Your ticket', parts, frame, 'Friday, at 19:00').html).trim()).toMatch(/^Friday, at 19:00\s/)
  const { html, text } = mailPage('Your ticket', parts, frame)
  expect(wordsOf(html).trim()).toMatch(/^You are registered\.\s+Rowing Club\s/)
  // Only once where it is read.
  expect(text.match(/You are registered/g)).toHaveLength(1)
})

test('a mail about no event has its subject as its head', () => {
  const page = mailPage('Your new password', [{ text: 'Choose one.' }], frame)
  expect(page.html).toMatch(/<h1[^>]*>Your new password<\/h1>/)
  expect(page.text).toBe('Your new password\n\nChoose one.\n\n-- \nRowing Club\nclub@example.org\nhttps://club.example')
  expect(mailPage('Your ticket', parts, frame).html).not.toMatch(/<h1[^>]*>Your ticket/)
})

test('white words can be read on the club’s colour, in both schemes', () => {
  const white: Colour = '#ffffff'
  for (const colour of ['#ffd400', '#ffffff', '#0b6e4f', '#000000', '']) {
    const { html } = mailPage('Your ticket', [...parts, { button: 'Open', url: 'https://x.example' }], {
      ...frame,
      colour,
    })
    const grounds = [...html.matchAll(/(?:class="(?:band|button)"[^>]*|\.band,\.button\{)background:(#[\da-f]{6})/g)]
    expect(grounds).toHaveLength(3)
    for (const [, ground] of grounds) expect(contrast(white, `#${ground?.slice(1)}`)).toBeGreaterThan(4.5)
  }
})

test('a logo keeps its shape, however wide it is', () => {
  const [logo = ''] = /<img src="cid:logo"[^>]*>/.exec(mailPage('', parts, { ...frame, picture: 'logo' }).html) ?? []
  expect(logo).toContain('max-width:96px;max-height:40px')
  // One side that is fixed while the other is limited would squeeze it.
  expect(logo).not.toMatch(/[;"](width|height):\d/)
})

test('a name in Arabic or Hebrew is ordered by itself, and all text is escaped', () => {
  const { html } = mailPage('', [{ title: 'حفلة الصيف 2026 (Open air)' }, { lines: ['Friday', '<b>שרה</b>'] }], frame)
  expect(html).toContain('<span dir="auto">حفلة الصيف 2026 (Open air)</span>')
  expect(html).toContain('<span dir="auto">&lt;b&gt;שרה&lt;/b&gt;</span>')
  expect(mailPage('', parts, frame).html).not.toContain('dir="auto"')
})

test('an address within a paragraph is a link', () => {
  const { html } = mailPage('', [{ text: 'Write to <us>: a&b@example.org', address: 'a&b@example.org' }], frame)
  expect(html).toMatch(/Write to &lt;us&gt;: <a class="link" href="mailto:a&amp;b@example\.org" [^>]*>a&amp;b@example/)
})
