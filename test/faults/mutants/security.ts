import type { Mutant } from './mutant.ts'

const tests = ['test/api/security.test.ts']

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
    find: "if (caller.mustSetUp && access.who !== 'self') throw new Refusal('SET_UP_SECOND_FACTOR')",
    replace: '',
    tests,
  },
  {
    name: 'that drafts are not shown without it either',
    file: 'src/server/access/caller.ts',
    find: '!caller.mustSetUp &&',
    replace: '',
    tests,
  },
  {
    name: 'whose second factor is reset',
    file: 'src/server/security/reset-factor.ts',
    find: 'if (user?.clubId !== club.id ||',
    replace: 'if (',
    tests,
  },
]
