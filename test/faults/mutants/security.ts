import type { Mutant } from './mutant.ts'

const tests = ['test/api/security.test.ts']

const changes = ['test/api/factor-changes.test.ts']

export const security: Mutant[] = [
  {
    name: 'the fresh sign-in of a call',
    file: 'src/server/access/gate.ts',
    find: "if ('fresh' in access && access.fresh === true) checkFresh(caller)",
    replace: '',
    tests,
  },
  {
    name: 'the fresh sign-in to edit others',
    file: 'src/server/users/save-user.ts',
    find: 'if (!isSelf) checkFresh(caller)',
    replace: '',
    tests,
  },
  {
    name: 'that a second factor is confirmed with a code',
    file: 'src/server/security/confirm-identity.ts',
    find: 'if (caller.hasSecondFactor) {',
    replace: "if (caller.hasSecondFactor && code !== '') {",
    tests,
  },
  {
    name: 'that a code works once',
    file: 'src/server/second-factor/queries.ts',
    find: ".where('lastStep', '<', step)",
    replace: '',
    tests,
  },
  {
    name: 'the code of a second factor',
    file: 'src/server/second-factor/check-factor.ts',
    find: "if (code === undefined || plainCode(code) === '') throw new Refusal('SECOND_FACTOR_NEEDED')",
    replace: "if (code === undefined || plainCode(code) === '') return true",
    tests,
  },
  {
    name: 'the limit of codes in a day',
    file: 'src/server/second-factor/check-factor.ts',
    find: 'await limitTries(deps, tries)',
    replace: '',
    tests,
  },
  {
    name: 'that an app counts only after its first code',
    file: 'src/server/second-factor/queries.ts',
    find: 'return (await findApp(db, userId))?.confirmedAt != null',
    replace: 'return (await findApp(db, userId)) != null',
    tests,
  },
  {
    name: 'that nothing is done without the second factor that a club requires',
    file: 'src/server/access/gate.ts',
    find: "if (caller.mustSetUp && access.who !== 'self' && !(caller.mayFinishAtDoor && isAtDoor(access)))",
    replace: 'if (false)',
    tests,
  },
  {
    name: 'that drafts are not shown without it either',
    file: 'src/server/access/caller.ts',
    find: 'return !caller?.mustSetUp && isOfItsTeam(caller, event)',
    replace: 'return isOfItsTeam(caller, event)',
    tests,
  },
  {
    name: 'whose second factor is reset',
    file: 'src/server/security/reset-factor.ts',
    find: 'if (user?.clubId !== club.id ||',
    replace: 'if (',
    tests,
  },
  {
    name: 'the second factor that is turned on during a sign-in',
    file: 'src/server/auth/sign-in.ts',
    find: "if (!isProven && (await hasSecondFactor(tx, id))) throw new Refusal('SECOND_FACTOR_NEEDED')",
    replace: '',
    tests: changes,
  },
  {
    name: 'the password that is changed during a sign-in',
    file: 'src/server/auth/sign-in.ts',
    find: "if ((await lockUser(tx, id))?.passwordHash !== passwordHash) throw new Refusal('WRONG_CREDENTIALS')",
    replace: 'await lockUser(tx, id)',
    tests: changes,
  },
  {
    name: 'that a session proves the second factor',
    file: 'src/server/access/queries.ts',
    find: 'and (f.confirmed_at is null or s.proved_factor)',
    replace: '',
    tests: changes,
  },
  {
    name: 'that only who was signed in before goes on at the door',
    file: 'src/server/access/caller.ts',
    find: 'session.createdAt < secondFactorSince &&',
    replace: '',
    tests: changes,
  },
  {
    name: 'that work at the door goes on for a night only',
    file: 'src/server/access/caller.ts',
    find: 'now.getTime() - secondFactorSince.getTime() < DOOR_GRACE_MS',
    replace: 'true',
    tests: changes,
  },
  {
    name: 'the secret of the app that is finished',
    file: 'src/server/second-factor/queries.ts',
    find: `    .where('userId', '=', userId)
    .where('secret', '=', secret)
    .where('confirmedAt', 'is', null)`,
    replace: "    .where('userId', '=', userId).where('confirmedAt', 'is', null)",
    tests: changes,
  },
  {
    name: 'the limit of new recovery codes',
    file: 'src/server/security/set-up.ts',
    find: "await limitTries(deps, [{ rule: 'recovery codes made by a person', of: String(caller.id) }])",
    replace: '',
    tests: changes,
  },
  {
    name: 'that a sign-in takes back no tries of its network',
    file: 'src/server/auth/sign-in.ts',
    find: 'if (isProven) await forgive(db, tries.slice(0, 1))',
    replace: 'if (isProven) await forgive(db, tries)',
    tests: changes,
  },
]
