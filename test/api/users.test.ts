import { afterEach, beforeEach, expect, test } from 'vitest'
import { authApi } from '../../src/contract/auth.ts'
import { appUserApi } from '../../src/contract/users.ts'
import { makeClub, makeFixture, makeMember, PASSWORD } from '../support/make.ts'
import { refusalOf } from '../support/outcomes.ts'
import { startApp, type TestApp } from '../support/start-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await startApp()
})
afterEach(() => app.stop())

test('an admin is removed with their sessions, by the operator or a colleague, never by themselves or a stranger', async () => {
  const { sudo, club, admin, token } = await makeFixture(app)
  const other = await makeClub(app, sudo.token)
  const remove = (appUserId: number, clubId: number, by: string) =>
    app.call(appUserApi.removeAppUser, { appUserId, clubId }, by)
  await refusalOf(remove(admin.id, club.id, token), 'NOT_ALLOWED')
  await refusalOf(remove(admin.id, other.club.id, other.token), 'NOT_FOUND')
  await refusalOf(remove(admin.id, club.id, other.token), 'NOT_FOUND')
  await refusalOf(remove(sudo.id, club.id, sudo.token), 'NOT_ALLOWED')
  await makeMember(app, { clubId: club.id, token }, 'owner')
  expect(await remove(admin.id, club.id, sudo.token)).toMatchObject({ id: admin.id })
  await refusalOf(app.call(authApi.getCurrentUser, {}, token), 'SIGN_IN_NEEDED')
  expect((await app.raw(authApi.signin, { email: admin.email, password: PASSWORD })).status).toBe(401)
})
