import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attachEmbedded } from '../../src/server/db/embedded/attach.ts'
import { type Served, serve, until } from '../support/serve.ts'
import { expectAccessible, launch, listenForErrors, openPage, SUDO, signIn, sudoEnv } from './browser.ts'
import { openClub, post } from './club.ts'
import { mailsOf } from './outbox.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 4043, env: sudoEnv })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

/** Changes the rows of the server that runs. */
async function run(statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client((await attachEmbedded(served.dataDir)) ?? {})
  await client.connect()
  await client.query(statement, values)
  await client.end()
}

/** As if everybody had signed in an hour ago, and used their last code then. */
async function anHourLater(): Promise<void> {
  await run(
    "update sessions set created_at = created_at - interval '1 hour', confirmed_at = confirmed_at - interval '1 hour'",
  )
  await run('update second_factors set last_step = last_step - 120')
}

const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate()

/** Signs out, and in again with the password, up to the code. */
async function signInWith(page: Page, email: string): Promise<void> {
  await page.goto(`${served.url}/signout`)
  await page.waitForURL(/signin/)
  await page.goto(`${served.url}/signin`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('wind and tide 7')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
}

test('somebody sets up an app, signs in with its code, and with a recovery code', async () => {
  const page = await openClub(browser, served, 'Careful Club')
  const wrong = listenForErrors(page, /status of (401|422|403)|ERR_FAILED/)
  await page.goto(`${served.url}/profile`)
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('img', { name: 'QR code for your app' }).waitFor()
  const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await expectAccessible(page)
  await dialog.getByLabel('Code of the app').fill('000000')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText('This code is wrong').waitFor()
  await dialog.getByLabel('Code of the app').fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await dialog.getByText('Keep your recovery codes').waitFor()
  const recovery = await dialog.locator('code').allTextContents()
  expect(recovery).toHaveLength(10)
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('turnout-codes.txt')
  await dialog.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('10 recovery codes are left.').waitFor()
  await anHourLater()
  await signInWith(page, 'Careful@example.org')
  await expectAccessible(page)
  await page.getByLabel('Code').fill('123')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('This code is wrong').first().waitFor()
  await page.getByLabel('Code').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/dashboard/)

  // If the form for the code cannot be loaded, what was typed stays.
  await page.goto(`${served.url}/signout`)
  await page.waitForURL(/signin/)
  await page.goto(`${served.url}/signin`)
  await page.route('**/assets/CodeForm-*.js', (route) => route.abort())
  await page.getByLabel('E-mail').fill('Careful@example.org')
  await page.getByLabel('Password', { exact: true }).fill('wind and tide 7')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: 'try again' }).waitFor()
  expect(await page.getByLabel('E-mail').inputValue()).toBe('Careful@example.org')
  await page.unroute('**/assets/CodeForm-*.js')

  await signInWith(page, 'Careful@example.org')
  await page.getByLabel('Code').fill(recovery[3] ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/dashboard/)
  await page.goto(`${served.url}/profile`)
  await page.getByText('9 recovery codes are left.').waitFor()

  await anHourLater()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Enter a code, and it goes on').waitFor()
  await page.getByLabel('Code', { exact: true }).fill(codeOf(secret))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('button', { name: 'Set up' }).waitFor()
  expect(wrong).toEqual([])
  await page.context().close()
})

test('a change of the team asks for the password when the sign-in is old, and nothing typed is lost', async () => {
  const page = await openClub(browser, served, 'Old Club')
  const wrong = listenForErrors(page, /status of (403|422)/)
  await page.goto(`${served.url}/team`)
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const invite = page.getByRole('dialog', { name: 'Invite somebody' })
  await invite.getByLabel('Name').fill('Ida')
  await invite.getByLabel('E-mail').fill('ida@example.org')
  await anHourLater()
  await invite.getByRole('button', { name: 'Send the invitation' }).click()
  const confirm = page.getByRole('dialog', { name: 'Is it you?' })
  // Whoever changes their mind is back at the form.
  await confirm.getByLabel('Password', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await confirm.waitFor({ state: 'hidden' })
  expect(await invite.getByLabel('E-mail').inputValue()).toBe('ida@example.org')
  await invite.getByRole('button', { name: 'Send the invitation' }).click()
  await confirm.getByLabel('Password', { exact: true }).fill('wrong')
  await expectAccessible(page)
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  await confirm.getByText('This is not your current password.').waitFor()
  await confirm.getByLabel('Password', { exact: true }).fill('wind and tide 7')
  await page.keyboard.press('Enter')
  await page.getByText('ida@example.org').waitFor()
  await page.getByText('Invited until').waitFor()
  expect(wrong).toEqual([])
  await page.context().close()
})

test('where the owner requires it, people set it up before anything else, and see it in the team', async () => {
  const page = await openClub(browser, served, 'Strict Club')
  const wrong = listenForErrors(page, /status of (401|403|422)/)
  await page.goto(`${served.url}/team`)
  await page.getByText('1 person does not have it yet.').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Everybody needs two-step sign-in').click()
  await page.getByRole('heading', { name: 'Set up two-step sign-in' }).waitFor()
  await page.goto(`${served.url}/dashboard/admin`)
  await page.getByText('Strict Club requires it of everybody in the team.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set up' }).click()
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code of the app').fill(codeOf(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  await page.goto(`${served.url}/team`)
  await page.getByText('Two-step sign-in', { exact: true }).waitFor()

  // The operator turns it off for an owner who has lost it; signing in leads to set it up again.
  const operator = await openPage(browser)
  await signIn(operator, served, SUDO)
  const { clubId } = JSON.parse((await page.evaluate(() => localStorage.getItem('currentUser'))) ?? '{}')
  await operator.goto(`${served.url}/club/${clubId}/credential`)
  await operator.getByRole('button', { name: 'More for Sam Sailor' }).click()
  await operator.getByRole('menuitem', { name: 'Turn off two-step sign-in' }).click()
  await operator.getByRole('dialog').getByRole('button', { name: 'Turn off two-step sign-in' }).click()
  await operator.getByText('Two-step sign-in is off.').waitFor()
  await operator.context().close()
  await page.goto(`${served.url}/signout`)
  await page.waitForURL(/signin/)
  await page.goto(`${served.url}/signin`)
  await page.getByLabel('E-mail').fill('Strict@example.org')
  await page.getByLabel('Password', { exact: true }).fill('wind and tide 7')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Set up two-step sign-in' }).waitFor()
  expect(wrong).toEqual([])
  await page.context().close()
})

/** Fills in an invitation, whose sign-in is then too old. */
async function inviteLate(page: Page, email: string) {
  await page.goto(`${served.url}/team`)
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const invite = page.getByRole('dialog', { name: 'Invite somebody' })
  await invite.getByLabel('Name').fill('Ida')
  await invite.getByLabel('E-mail').fill(email)
  await anHourLater()
  await invite.getByRole('button', { name: 'Send the invitation' }).click()
  const confirm = page.getByRole('dialog', { name: 'Is it you?' })
  await confirm.getByLabel('Password', { exact: true }).waitFor()
  return confirm
}

test('the dialog asks for a code when two-step sign-in was turned on in another tab meanwhile', async () => {
  const page = await openClub(browser, served, 'Tabs Club')
  const wrong = listenForErrors(page, /status of (403|422)/)
  const confirm = await inviteLate(page, 'tabs-ida@example.org')
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const of = 'from users where users.email ilike $1'
  await run(`insert into second_factors (user_id, secret, confirmed_at) select id, $2, now() ${of}`, [
    'tabs@example.org',
    secret,
  ])
  await run(`update sessions set proved_factor = true ${of} and users.id = user_id`, ['tabs@example.org'])
  await confirm.getByLabel('Password', { exact: true }).fill('wind and tide 7')
  await confirm.getByRole('button', { name: 'Confirm' }).click()
  const field = confirm.getByLabel('Code', { exact: true })
  await field.waitFor()
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await field.inputValue()).toBe('')
  await expectAccessible(page)
  await field.fill(codeOf(secret))
  await page.keyboard.press('Enter')
  await page.getByText('tabs-ida@example.org').waitFor()
  await page.getByText('Invited until').waitFor()
  expect(wrong).toEqual([])
  await page.context().close()
})

test('a question who it is does not stay when another person signs in, and nothing is sent for them', async () => {
  const other = await openClub(browser, served, 'Next Club')
  await other.context().close()
  const page = await openClub(browser, served, 'First Club')
  const confirm = await inviteLate(page, 'first-ida@example.org')
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/team/invite')) sent.push(request.url())
  })
  const tab = await page.context().newPage()
  await tab.goto(`${served.url}/signout`)
  await tab.waitForURL(/signin/)
  await tab.goto(`${served.url}/signin`)
  await tab.getByLabel('E-mail').fill('Next@example.org')
  await tab.getByLabel('Password', { exact: true }).fill('wind and tide 7')
  await tab.getByRole('button', { name: 'Sign in' }).click()
  await tab.waitForURL(/dashboard/)
  await page.waitForURL(/dashboard/)
  await page.getByRole('heading', { name: 'First steps' }).waitFor()
  expect(await confirm.count()).toBe(0)
  expect(sent).toEqual([])
  await page.context().close()
})

test('a page with unsaved work stays when the club requires two-step sign-in, and is saved after it is set up', async () => {
  const page = await openClub(browser, served, 'Held Club')
  const wrong = listenForErrors(page, /status of (403|422)/)
  await page.goto(`${served.url}/team`)
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  const invite = page.getByRole('dialog', { name: 'Invite somebody' })
  await invite.getByLabel('Name').fill('Ida')
  await invite.getByLabel('E-mail').fill('held-ida@example.org')
  const { clubId } = JSON.parse((await page.evaluate(() => localStorage.getItem('currentUser'))) ?? '{}')
  await post(page, 'security/requireFactor', { payload: { clubId, isRequired: true } })
  await invite.getByRole('button', { name: 'Send the invitation' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up two-step sign-in' })
  await dialog.getByRole('button', { name: 'Set up' }).waitFor()
  await expectAccessible(page)
  // Whoever closes it is back at their work, and may open it again.
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await invite.getByLabel('E-mail').inputValue()).toBe('held-ida@example.org')
  await invite.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText('now requires two-step sign-in').waitFor()
  // Covered by the invitation for touches, not for the keyboard.
  await page.locator('button', { hasText: 'Set it up now' }).dispatchEvent('click')
  await dialog.getByRole('button', { name: 'Set up' }).click()
  const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await dialog.getByLabel('Code of the app').fill(codeOf(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('dialog', { name: 'Keep your recovery codes' })
  await codes.waitFor()
  // They are shown only once, so neither a key nor a touch beside them closes them.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await codes.locator('code').count()).toBe(10)
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await invite.getByLabel('E-mail').inputValue()).toBe('held-ida@example.org')
  await invite.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText('Invited until').waitFor()
  expect(wrong).toEqual([])
  await page.context().close()
})

test('a new address of one’s own counts once the link in its mail is opened', async () => {
  const page = await openClub(browser, served, 'Moving Club')
  const wrong = listenForErrors(page, /status of (401|409)/)
  await page.goto(`${served.url}/profile`)
  const address = page.getByRole('textbox', { name: 'E-mail' })
  const present = await address.inputValue()
  /** Asks for another address, up to the answer. */
  const want = async (email: string) => {
    await address.fill(email)
    await page.getByLabel('Current password').first().fill('wind and tide 7')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText(`We sent a link to ${email}.`).waitFor()
    expect(await address.inputValue()).toBe(present)
  }
  await want('dropped@example.org')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Keep the present address' }).click()
  await page.getByText('We sent a link to').waitFor({ state: 'detached' })
  // The keyboard goes on at the field.
  await address.and(page.locator(':focus')).waitFor()
  await want('moved@example.org')

  const linkTo = async (to: string) => {
    const mail = (await mailsOf(served)).find((each) => each.to?.some((one) => one.address === to))
    return /http:\S+confirm-address#[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? ''
  }
  await until(async () => (await linkTo('moved@example.org')) !== '', 30_000, 'the mail is there')
  const phone = await openPage(browser, { width: 390, height: 844 })
  await phone.goto(await linkTo('moved@example.org'))
  await expectAccessible(phone)
  await phone.getByRole('button', { name: 'Confirm the address' }).click()
  await phone.getByText('Your new address is confirmed.').waitFor()
  await phone.getByLabel('E-mail').fill('moved@example.org')
  await phone.getByLabel('Password', { exact: true }).fill('wind and tide 7')
  await phone.getByRole('button', { name: 'Sign in' }).click()
  await phone.waitForURL(/dashboard/)

  // The page that asked for it goes on.
  await page.reload()
  const isMoved = async () => (await address.inputValue()) === 'moved@example.org'
  await until(isMoved, 30_000, 'the page has read the new address')
  await page.getByText('We sent a link to').waitFor({ state: 'detached' })
  // The link works once.
  await phone.goto(`${served.url}/signout`)
  await phone.waitForURL(/signin/)
  await phone.goto(await linkTo('moved@example.org'))
  await phone.getByRole('button', { name: 'Confirm the address' }).click()
  await phone.getByRole('alert').waitFor()
  expect(wrong).toEqual([])
})
