import type { Mutant } from './mutant.ts'

const tests = ['test/api/api-tokens.test.ts']
const access = ['test/api/access-tokens.test.ts']

export const apiTokens: Mutant[] = [
  {
    name: 'what no token may',
    file: 'src/server/access/check-token.ts',
    find: 'if (!takesTokens(access)) {',
    replace: 'if (false as boolean) {',
    tests: access,
  },
  {
    name: 'the calls of which no token may make any',
    file: 'src/contract/endpoint.ts',
    find: "if (access.who === 'sudo' || ('noToken' in access && access.noToken)) return false",
    replace: '',
    tests: access,
  },
  {
    name: 'the calls that need a fresh sign-in',
    file: 'src/contract/endpoint.ts',
    find: "if ('fresh' in access && access.fresh !== undefined) return false",
    replace: '',
    tests: access,
  },
  {
    name: 'the end of a token',
    file: 'src/server/access/api-token.ts',
    find: 'if (!found || found.expiresAt <= now) return null',
    replace: 'if (!found) return null',
    tests,
  },
  {
    name: 'the permissions chosen for it',
    file: 'src/server/access/api-token.ts',
    find: '.filter((each) => found.permissions.includes(each))',
    replace: '',
    tests: access,
  },
  {
    name: 'the permissions of one’s own role in a new one',
    file: 'src/server/api-tokens/tokens.ts',
    find: 'if (!fields.permissions.every((each) => allowed.includes(each)))',
    replace: 'if (false as boolean)',
    tests,
  },
  {
    name: 'the lock under which valid tokens are counted',
    file: 'src/server/api-tokens/tokens.ts',
    find: 'const user = await lockSelf(tx, caller)',
    replace: "const user = await tx.selectFrom('users').selectAll().where('id', '=', caller.id).executeTakeFirst()",
    tests,
  },
  {
    name: 'that a reset which came first ends the session that makes one',
    file: 'src/server/auth/lock-self.ts',
    find: '|| !(await hasSession(tx, tokenHash))',
    replace: '',
    tests: [...tests, 'test/api/passkeys.test.ts'],
  },
  {
    name: 'that turning on two-step sign-in ends them',
    file: 'src/server/security/own-factor.ts',
    find: 'await deleteTokensOf(tx, caller.id)',
    replace: '',
    tests,
  },
  {
    name: 'that a token which may not read sees no draft',
    file: 'src/server/access/visible-event.ts',
    find: "return caller.apiToken === null || may(caller, 'read') || may(caller, 'events')",
    replace: 'return true',
    tests,
  },
  {
    name: 'that a reset ends them',
    file: 'src/server/auth/queries.ts',
    find: 'if (exceptTokenHash === null) await deleteTokensOf(tx, userId)',
    replace: '',
    tests: ['test/api/passkeys.test.ts'],
  },
  {
    name: 'that requests of different tokens are logged apart',
    file: 'src/server/db/batch.ts',
    find: '(batch.length > 0 && each.token !== token)',
    replace: 'false',
    tests,
  },
]
