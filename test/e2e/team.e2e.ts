import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Served, serve, until } from '../support/serve.ts'
import { enter, expectAccessible, launch, listenForErrors, openPage } from './browser.ts'
import { add, openClub, post, regatta } from './club.ts'
import { mailsOf, subjectsOf } from './outbox.ts'

let served: Served
let browser: Browser

beforeAll(async () => {
  served = await serve({ port: 3970 })
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await served.stop()
})

test('an owner invites somebody to the door of an event; they join, find only the scanner, and get another role', async () => {
  const owner = await openClub(browser, served, 'Inviting Club')
  const wrong = listenForErrors(owner, /status of 409/)
  const { id: eventId, clubId } = await post(owner, 'event/save', regatta)
  await post(owner, 'event/save', { ...regatta, name: 'Committee dinner' })
  await owner.reload()
  await owner.getByLabel('Account: Sam Sailor').click()
  await owner.getByRole('link', { name: 'Team' }).click()
  await owner.getByRole('button', { name: 'Invite somebody' }).click()
  const dialog = owner.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await dialog.getByText('Enter a name').first().waitFor()
  await dialog.getByLabel('Name').fill('Dora Door')
  await dialog.getByLabel('E-mail').fill('dora@example.org')
  await dialog.getByLabel('Only these events').check()
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await dialog.getByText('Choose at least one event.').waitFor()
  await dialog.getByLabel('Regatta').check()
  await expectAccessible(owner)
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await owner.getByText('Invited until').waitFor()
  await expectAccessible(owner)

  const subject = 'Invitation to the team of Inviting Club'
  await until(async () => (await subjectsOf(served)).includes(subject), 30_000, 'the invitation is written')
  const text = (await mailsOf(served)).find((mail) => mail.subject === subject)?.text ?? ''
  const link = /http\S+#\S+/.exec(text)?.[0] ?? ''
  const helper = await openPage(browser, { width: 390, height: 844 })
  const helperWrong = listenForErrors(helper)
  await helper.goto(link)
  await helper.getByRole('heading', { name: 'Join the team of Inviting Club' }).waitFor()
  await helper.getByText('dora@example.org is invited. Role: Door helper.').waitFor()
  await helper.getByLabel('Password').fill('lantern and rope 5')
  await expectAccessible(helper)
  await helper.getByRole('button', { name: 'Join', exact: true }).click()
  await helper.waitForURL(/dashboard\/admin/)
  await helper.getByRole('heading', { name: 'Regatta' }).waitFor()
  expect(await helper.getByText('Committee dinner').count()).toBe(0)
  for (const name of ['Add an event', 'Club settings', 'Attendees', 'Overview'])
    expect(await helper.getByRole('link', { name }).count()).toBe(0)
  await expectAccessible(helper)
  await helper.getByRole('link', { name: 'Regatta' }).click()
  await helper.getByText('Up to date').waitFor()
  // Pages of other roles lead home.
  for (const path of [`/event/${eventId}`, `/event/${eventId}/attendees`, '/team', `/club/edit/${clubId}`]) {
    await helper.goto(served.url + path)
    await helper.waitForURL(/dashboard\/admin/)
  }

  // The link is used up.
  const stranger = await openPage(browser)
  await stranger.goto(link)
  await stranger.getByText('It has expired or has been used.').waitFor()
  await expectAccessible(stranger)
  await stranger.context().close()

  await owner.reload()
  await owner.getByRole('button', { name: 'More for Dora Door' }).click()
  await owner.getByRole('menuitem', { name: 'Change the role' }).click()
  await dialog.getByLabel('Treasurer').check()
  await expectAccessible(owner)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await owner.getByRole('button', { name: 'More for Sam Sailor' }).click()
  await owner.getByRole('menuitem', { name: 'Change the role' }).click()
  await dialog.getByLabel('Manager').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await owner.getByText('A club needs an owner.').waitFor()

  await helper.goto(`${served.url}/dashboard/admin`)
  await helper.getByText('Committee dinner').waitFor()
  await helper.goto(`${served.url}/event/${eventId}/attendees`)
  await helper.getByRole('heading', { name: 'Attendees' }).waitFor()
  expect(await helper.getByRole('button', { name: 'Add' }).count()).toBe(0)
  expect(wrong).toEqual([])
  expect(helperWrong).toEqual([])
  await helper.context().close()
  await owner.context().close()
})

test('an invitation is declined, and an owner who becomes a manager is shown what a manager may do', async () => {
  const owner = await openClub(browser, served, 'Declined Club')
  const wrong = listenForErrors(owner)
  const { clubId } = await post(owner, 'event/save', regatta)
  const second = { fullName: 'Olga Owner', email: 'olga@example.org', password: 'lantern and rope 5', clubId }
  await post(owner, 'appUser/save', { payload: second })
  const invitation = { clubId, fullName: 'Nils No', email: 'nils@example.org', teamRole: 'manager' }
  await post(owner, 'team/invite', { payload: invitation })
  const to = 'Invitation to the team of Declined Club'
  await until(async () => (await subjectsOf(served)).includes(to), 30_000, 'the invitation is written')
  const text = (await mailsOf(served)).find(({ subject }) => subject === to)?.text ?? ''
  const link = /http\S+#\S+/.exec(text)?.[0] ?? ''
  const invited = await openPage(browser, { width: 390, height: 844 })
  const invitedWrong = listenForErrors(invited, /status of 409/)
  await invited.goto(`${served.url}/invitation#nonsense`)
  await invited.getByText('It has expired or has been used.').waitFor()
  // The right link, pasted into the same tab.
  await invited.goto(link)
  await invited.getByRole('heading', { name: 'Join the team of Declined Club' }).waitFor()
  await invited.getByRole('button', { name: 'Decline the invitation' }).click()
  await invited.getByRole('button', { name: 'Keep it' }).click()
  await invited.getByRole('button', { name: 'Decline the invitation' }).click()
  await expectAccessible(invited)
  await invited.getByRole('button', { name: 'Decline the invitation' }).click()
  await invited.getByText('You have declined.').waitFor()
  await expectAccessible(invited)
  await invited.context().close()

  await owner.goto(`${served.url}/team`)
  await owner.getByText('olga@example.org').waitFor()
  expect(await owner.getByText('nils@example.org').count()).toBe(0)
  await owner.getByRole('button', { name: 'More for Sam Sailor' }).click()
  await owner.getByRole('menuitem', { name: 'Change the role' }).click()
  await owner.getByRole('dialog').getByLabel('Manager').check()
  await owner.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await owner.waitForURL(/dashboard\/admin/)
  await owner.getByRole('heading', { name: 'Regatta' }).waitFor()
  await owner.getByLabel('Account: Sam Sailor').click()
  await owner.getByRole('link', { name: 'Profile' }).waitFor()
  expect(await owner.getByRole('link', { name: 'Team' }).count()).toBe(0)
  expect(wrong).toEqual([])
  expect(invitedWrong).toEqual([])
  await owner.context().close()
})

test('one signs out on another device from the profile, and saves the list for paper', async () => {
  const owner = await openClub(browser, served, 'Two Devices')
  const { id: eventId } = await post(owner, 'event/save', regatta)
  await add(owner, eventId, 'Ada Moreau')
  const phone = await openPage(browser, { width: 390, height: 844 })
  await enter(phone, served.url, 'signin', { email: 'Two@example.org', password: 'wind and tide 7' })
  await phone.waitForURL(/dashboard\/admin/)

  await owner.goto(`${served.url}/profile`)
  const sessions = owner.getByRole('region', { name: 'Where you are signed in' })
  await sessions.getByText('This device').waitFor()
  await expectAccessible(owner)
  const signOut = sessions.getByRole('button', { name: /^Sign out / })
  // Without a network nothing is said to have happened.
  await owner.context().setOffline(true)
  await signOut.first().click()
  await owner
    .getByText(/No connection|could not be reached|cannot be reached/)
    .first()
    .waitFor()
  expect(await sessions.getByRole('listitem').count()).toBe(2)
  await owner.context().setOffline(false)
  await sessions.getByRole('button', { name: 'Sign out everywhere else' }).focus()
  await owner.keyboard.press('Enter')
  await owner.getByText('Signed out everywhere else.').waitFor()
  await signOut.first().waitFor({ state: 'detached' })
  expect(await sessions.getByRole('listitem').count()).toBe(1)
  await phone.goto(`${served.url}/dashboard/admin`)
  await phone.getByRole('heading', { name: 'Sign in' }).first().waitFor()
  await phone.context().close()

  await owner.goto(`${served.url}/event/${eventId}/attendees`)
  const saved = owner.waitForEvent('download')
  await owner.getByRole('button', { name: 'List for paper' }).click()
  expect((await saved).suggestedFilename()).toBe(`attendees-${eventId}.pdf`)
  await owner.context().close()
})
