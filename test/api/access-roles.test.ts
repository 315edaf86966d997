import { expect, test } from 'vitest'
import { endpoints } from '../../src/contract/all-calls.ts'
import { passAbilities, permissionsOf, permissionsOfPass, type TeamRole } from '../../src/contract/permissions.ts'
import { webhookApi } from '../../src/contract/webhooks.ts'

test('these calls need a fresh sign-in, whatever the contract says', () => {
  const fresh = (kind: unknown) =>
    endpoints.filter(({ access }) => 'fresh' in access && access.fresh === kind).map(({ path }) => path)
  expect(fresh(true).sort()).toEqual([
    '/api/appUser/makePasswordLink',
    '/api/appUser/removeAppUser',
    '/api/club/exportClub',
    '/api/club/removeClub',
    '/api/club/startImport',
    '/api/pass/makePass',
    '/api/pass/renewPass',
    '/api/passkey/remove',
    '/api/passkey/startAdding',
    '/api/personalData/deleteRecords',
    '/api/security/makeRecoveryCodes',
    '/api/security/removeApp',
    '/api/security/requireFactor',
    '/api/security/resetFactor',
    '/api/security/startApp',
    '/api/team/invite',
    '/api/team/inviteAgain',
    '/api/token/makeToken',
    '/api/webhook/rollSecret',
    '/api/webhook/saveWebhook',
  ])
  expect(fresh('some')).toEqual(['/api/appUser/save'])
})

test('each role may make the calls written here, whatever the permissions say', () => {
  const made = (role: TeamRole) =>
    endpoints
      .filter(({ access }) => 'needs' in access && permissionsOf(role).includes(access.needs))
      .map(({ path }) => path)
  const whole = made('owner')
  expect(whole).toEqual(endpoints.filter(({ access }) => 'needs' in access).map(({ path }) => path))
  expect(whole.filter((path) => !made('manager').includes(path)).sort()).toEqual([
    '/api/appUser/getAppUsers',
    '/api/appUser/removeAppUser',
    '/api/club/exportClub',
    '/api/club/getImport',
    '/api/club/save',
    '/api/club/saveCover',
    '/api/club/saveMembers',
    '/api/club/sendImportPart',
    '/api/club/startImport',
    '/api/security/requireFactor',
    '/api/security/resetFactor',
    '/api/stripe/refund',
    '/api/stripe/retryRefunds',
    '/api/stripe/retryRefundsOfRemoved',
    '/api/team/invite',
    '/api/team/inviteAgain',
    ...Object.values(webhookApi)
      .map(({ path }) => path)
      .sort(),
  ])
  expect(made('treasurer').sort()).toEqual([
    '/api/checkin/getAnswerCounts',
    '/api/checkin/getConflicts',
    '/api/checkin/getStatistics',
    '/api/club/getMemberList',
    '/api/club/getNeeds',
    '/api/event/getAllEvents',
    '/api/event/getCodes',
    '/api/event/getPoster',
    '/api/registration/downloadAttendees',
    '/api/registration/getAttendeeIds',
    '/api/registration/getAttendees',
    '/api/registration/getTimeline',
    '/api/stripe/refund',
    '/api/stripe/retryRefunds',
    '/api/stripe/retryRefundsOfRemoved',
  ])
  expect(made('door').sort()).toEqual([
    '/api/checkin/checkInFromPaper',
    '/api/checkin/confirmWalkInPlaces',
    '/api/checkin/getDoorList',
    '/api/checkin/getOtherTickets',
    '/api/checkin/getPaperList',
    '/api/checkin/readPaper',
    '/api/checkin/reportPhone',
    '/api/checkin/save',
    '/api/checkin/scanByRegistrationId',
    '/api/checkin/syncScans',
    '/api/event/getAllEvents',
    '/api/event/getPoster',
    '/api/registration/save',
    '/api/registration/scanByExtrasPurchaseId',
    '/api/registration/undoRedemption',
  ])
  const withPass = permissionsOfPass(passAbilities)
  expect(
    endpoints
      .filter(({ access }) => ('needs' in access && withPass.includes(access.needs)) || 'pass' in access)
      .map(({ path }) => path)
      .sort(),
  ).toEqual(
    `checkin/checkInFromPaper checkin/confirmWalkInPlaces checkin/getDoorList checkin/getOtherTickets checkin/readPaper checkin/reportPhone checkin/save
    checkin/scanByRegistrationId checkin/syncScans registration/save registration/scanByExtrasPurchaseId registration/undoRedemption
    user/getCurrentUser user/signout`
      .split(/\s+/)
      .map((path) => `/api/${path}`),
  )
  const evenEnded = endpoints.filter(({ access }) => 'evenEnded' in access)
  expect(evenEnded.map(({ path }) => path)).toEqual(['/api/checkin/syncScans'])
})
