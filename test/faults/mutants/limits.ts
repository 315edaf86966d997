import type { Mutant } from './mutant.ts'

const tests = ['test/api/limits.test.ts']

export const limits: Mutant[] = [
  {
    name: 'the most that an e-mail address may have at an event',
    file: 'src/server/places/place-queries.ts',
    find: 'where not is_limited or e.max_per_email >= turn_of_email + (',
    replace: 'where true or e.max_per_email >= turn_of_email + (',
    tests,
  },
  {
    name: 'the lock on who holds unpaid places',
    file: 'src/server/places/limits-of-holds.ts',
    find: '  await lockKeys(tx, hashes)\n',
    replace: '',
    tests,
  },
  {
    name: 'the single use of a proof',
    file: 'src/server/limits/proof.ts',
    find: 'return verified && spendProof(db, proof.challenge.signature, new Date(until))',
    replace: 'return verified',
    tests,
  },
  {
    name: 'the end of a challenge, and its network',
    file: 'src/server/limits/proof.ts',
    find: 'until <= time || until > time + VALID_MS || network !== networkHash(address) || ',
    replace: '',
    tests,
  },
  {
    name: 'that staff of another club are visitors',
    file: 'src/server/access/visitor.ts',
    find: "worksOn(caller, event) && may(caller, 'walk-ins')",
    replace: "caller?.role === 'admin'",
    tests,
  },
  {
    name: 'the pause before the bank is asked again',
    file: 'src/server/payments/payment-queries.ts',
    find: "        eb('askedAt', '<=', new Date(now.getTime() - ASK_BANK_EVERY_MS)),",
    replace: "        eb('askedAt', '<=', now),",
    tests,
  },
  {
    name: 'the window that begins anew after a clock was set back',
    file: 'src/server/limits/queries.ts',
    find: ' or limit_counts.ends_at > excluded.ends_at',
    replace: '',
    tests,
  },
  {
    name: 'the end of a queue for heavy work',
    file: 'src/server/turns.ts',
    find: "    if (waiting.length >= mostWaiting) throw new Refusal('UNAVAILABLE', { retryAfter: RETRY_AFTER })\n",
    replace: '',
    tests: ['src/server/turns.test.ts'],
  },
  {
    name: 'the password for a new e-mail address',
    file: 'src/server/users/save-user.ts',
    find: 'if (isSelf && (password !== null || !isSameAddress(input.email, before.email)))',
    replace: 'if (isSelf && password !== null)',
    tests: ['test/api/auth.test.ts'],
  },
  {
    name: 'the ever longer time between links for a password',
    file: 'src/server/mail/queries.ts',
    find: '    where asked.count < 3\n',
    replace: '    where true\n',
    tests: ['test/api/passwords.test.ts'],
  },
]
