import { expect, test } from 'vitest'
import { personalDataApi } from '../../src/contract/personal-data.ts'
import { tokenFor } from '../support/make.ts'
import { app, begin, paying, pricedFixture, setUpPayingApp } from '../support/paying.ts'

setUpPayingApp()

test('somebody whose money is under way is kept until it is settled', async () => {
  const { event, admin, club } = await pricedFixture()
  const { registration } = await begin(event)
  app.clock.now = new Date(event.endsAt.getTime() + 60_000)
  const token = await tokenFor(app, admin.id)
  const key = `registration:${registration.id}`
  const erase = () => app.call(personalDataApi.deleteRecords, { payload: { clubId: club.id, keys: [key] } }, token)
  expect(await erase()).toMatchObject({ deleted: 0, kept: [{ key, kept: 'money' }] })
  await paying.finishPayments()
  expect(await erase()).toEqual({ deleted: 1, kept: [] })
})
