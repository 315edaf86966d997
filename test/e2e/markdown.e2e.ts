import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, serve, until } from '../support/serve.ts'
import { expectAccessible, launch, openPage, SUDO, signIn, sizes, sudoEnv } from './browser.ts'
import { openClub, post, regatta } from './club.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 4041, env: sudoEnv })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true })
const value = (page: Page) => page.getByLabel('Description (optional)', { exact: true }).inputValue()

describe.each(sizes)('on a $device', ({ device, viewport }) => {
  test('a description is formatted with the toolbar and looks in the preview as on the page', async () => {
    const page = await openClub(browser, served, `Texts${device} club`)
    await page.setViewportSize(viewport)
    const { id, clubId } = await post(page, 'event/save', regatta)
    await page.goto(`${served.url}/event/${id}/edit`)
    const text = page.getByLabel('Description (optional)', { exact: true })
    await text.click()
    await page.keyboard.type('Bring boots')
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await tool(page, 'Bold').click()
    expect(await value(page)).toBe('Bring **boots**')
    // The words are still selected: what is typed next replaces them, and undo takes back both.
    await page.keyboard.type('shoes')
    expect(await value(page)).toBe('Bring **shoes**')
    const undo = async (before: string) => {
      for (let n = 0; n < 10 && (await value(page)) !== before; n++) await page.keyboard.press('Control+z')
      expect(await value(page)).toBe(before)
    }
    await undo('Bring **boots**')
    await undo('Bring boots')

    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await tool(page, 'Numbered list').click()
    await page.keyboard.type('first')
    await page.keyboard.press('Shift+Home')
    await page.keyboard.press('Control+i')
    expect(await value(page)).toBe('Bring boots\n1. *first*')
    await page.keyboard.press('Control+Home')
    await tool(page, 'Heading').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' ')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('map')
    expect(await value(page)).toBe('## Bring boots [map](https://)\n1. *first*')
    // The same keys open the search elsewhere.
    expect(await page.getByRole('dialog').count()).toBe(0)

    // One stop of the Tab key, and the arrow keys within it.
    await page.keyboard.press('Shift+Tab')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    expect(await focused()).toBe('Bold')
    await page.keyboard.press('ArrowLeft')
    expect(await focused()).toBe('Link')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    expect(await focused()).toBe('Italic')
    await page.keyboard.press('Shift+Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tab')
    await expectAccessible(page)

    await page.getByRole('tab', { name: 'Preview' }).click()
    const preview = page.getByRole('tabpanel', { name: 'Preview' })
    await preview.getByRole('heading', { name: 'Bring boots map' }).waitFor()
    await expectAccessible(page)
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/preview-${device}.png` })
    const shown = await preview.locator('.prose').innerHTML()
    await page.getByRole('tab', { name: 'Write' }).click()
    await text.click()
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/write-${device}.png` })
    // What was done before the preview can still be undone.
    await undo('Bring boots\n1. *first*')
    for (let n = 0; n < 10; n++) await page.keyboard.press('Control+Shift+z')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL((url) => url.pathname === `/event/${id}`)
    await page.goto(`${served.url}/club/${clubId}/event/${id}`)
    await page.getByRole('heading', { name: 'Bring boots map' }).waitFor()
    expect(await page.locator('.prose').first().innerHTML()).toBe(shown)
    await page.context().close()
  })
})

test('a preview that fails can be repeated, and an error leads back to the text', async () => {
  const page = await openPage(browser)
  await signIn(page, served, SUDO)
  await page.goto(`${served.url}/page/terms/edit`)
  const text = page.getByLabel('Text', { exact: true })
  await text.fill(`${'>'.repeat(200)} deep`)
  await page.route('**/api/text/preview', (route) => route.abort())
  await page.getByRole('tab', { name: 'Preview' }).click()
  const preview = page.getByRole('tabpanel', { name: 'Preview' })
  await preview.getByRole('alert').getByText('The preview could not be loaded. Your text is still here.').waitFor()
  await page.unroute('**/api/text/preview')
  await preview.getByRole('button', { name: 'Try again' }).click()
  await preview.getByRole('alert').getByText('This text is too deeply nested').waitFor()
  expect(await preview.evaluate((each) => each === document.activeElement)).toBe(true)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await until(() => text.evaluate((each) => each === document.activeElement), 30_000, 'the text has the focus')
  await page.getByText('This text is too deeply nested').first().waitFor()

  await text.fill('## Rules')
  await page.getByRole('tab', { name: 'Preview' }).click()
  await preview.getByRole('heading', { name: 'Rules' }).waitFor()
  await text.evaluate((each) => each.isConnected)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.').waitFor()
  await expectAccessible(page)
  await page.context().close()
})
