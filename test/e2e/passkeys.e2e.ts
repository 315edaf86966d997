import pg from 'pg'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attachEmbedded } from '../../src/server/db/embedded/attach.ts'
import { type Served, serve } from '../support/serve.ts'
import { expectAccessible, launch, listenForErrors, sudoEnv } from './browser.ts'
import { openClub } from './club.ts'

// Passkeys are bound to a name; browsers allow none for a bare address.
const PORT = 4031
const site = `http://localhost:${PORT}`
let served: Served
let browser: Browser

beforeAll(async () => {
  served = { ...(await serve({ port: PORT, env: { ...sudoEnv, BASE_URL: site } })), url: site }
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

/** A device that is unlocked whenever it is asked. */
async function giveDevice(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', { options })
  return {
    /** Whether whoever is asked unlocks it. */
    unlocks: (isUserVerified: boolean) => client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

async function run(statement: string): Promise<void> {
  const client = new pg.Client((await attachEmbedded(served.dataDir)) ?? {})
  await client.connect()
  await client.query(statement)
  await client.end()
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${site}/signout`)
  await page.waitForURL(/signin/)
  await page.goto(`${site}/signin`)
}

async function typePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('wind and tide 7')
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Use a passkey' })

test('somebody adds a passkey, signs in with it, proves with it who they are, and removes it', async () => {
  const page = await openClub(browser, served, 'Key Club')
  const wrong = listenForErrors(page, /status of (401|403)/)
  const device = await giveDevice(page)
  await page.goto(`${site}/profile`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const codes = page.getByRole('dialog')
  await codes.getByText('Keep your recovery codes').waitFor()
  const [recovery = ''] = await codes.locator('code').allTextContents()
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('Signing in takes a passkey.').waitFor()
  await page.getByText('Not used yet').waitFor()
  await expectAccessible(page)
  const email = await page.getByLabel('E-mail').inputValue()

  // The same device makes no second one.
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('This device already has a passkey for your account.').waitFor()

  await signOut(page)
  await expectAccessible(page)
  await device.unlocks(false)
  await passkeyButton(page).click()
  await page.getByText('No passkey was used.').waitFor()
  await device.unlocks(true)
  await passkeyButton(page).click()
  await page.waitForURL(/dashboard/)

  // The password alone is not enough; the second step takes the passkey too, or a recovery code.
  await signOut(page)
  await typePassword(page, email)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await expectAccessible(page)
  await passkeyButton(page).click()
  await page.waitForURL(/dashboard/)
  await signOut(page)
  await typePassword(page, email)
  await page.getByLabel('Recovery code').fill(recovery)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/dashboard/)

  await run("update sessions set created_at = created_at - interval '1 hour'")
  await page.goto(`${site}/profile`)
  await page.getByRole('button', { name: /Remove the passkey of Chrome/ }).click()
  const asked = page.getByRole('dialog', { name: /^Remove the passkey of Chrome/ })
  await asked.getByText('It is your last one').waitFor()
  await asked.getByRole('button', { name: 'Remove' }).click()
  const proof = page.getByRole('dialog', { name: 'Is it you?' })
  await proof.waitFor()
  await expectAccessible(page)
  await proof.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('Passkey removed.').waitFor()
  await page.getByText('An app on your phone shows a new code').waitFor()
  await page.waitForFunction(() => document.activeElement?.textContent === 'Passkeys')
  await signOut(page)
  await typePassword(page, email)
  await page.waitForURL(/dashboard/)
  expect(wrong).toEqual([])
})

test('a passkey whose answer got lost is shown, and one that was removed elsewhere goes away', async () => {
  const page = await openClub(browser, served, 'Lost Club')
  await giveDevice(page)
  await page.goto(`${site}/profile`)
  await page.route('**/finishAdding', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const add = page.getByRole('button', { name: 'Add a passkey' })
  await add.click()
  await page.getByRole('alert').first().waitFor()
  await page.getByText('10 recovery codes are left').waitFor()
  await page.waitForFunction(() => document.activeElement?.textContent === 'Add a passkey')
  await run('delete from passkeys where id = (select max(id) from passkeys)')
  await page.getByRole('button', { name: /^Remove the passkey of/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('An app on your phone shows a new code').waitFor()
})

test('somebody whose session has ended signs in again with a passkey, over the page with their work', async () => {
  const page = await openClub(browser, served, 'Work Club')
  await giveDevice(page)
  await page.goto(`${site}/profile`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByText('Signing in takes a passkey.').waitFor()
  await page.getByLabel('Name').fill('Ana Anew')
  await run('delete from sessions')
  await page.getByRole('button', { name: 'Save' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill('wind and tide 7')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('Saved').first().waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Ana Anew')
})
