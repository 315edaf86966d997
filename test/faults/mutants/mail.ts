import type { Mutant } from './mutant.ts'

export const mail: Mutant[] = [
  {
    name: 'the second try of a mail',
    file: 'src/server/mail/worker.ts',
    find: 'return isFinal || next.getTime() - createdAt.getTime() > GIVE_UP_MS ? null : next',
    replace: 'return null',
    tests: ['test/api/smtp.test.ts'],
  },
  {
    name: 'the end of tries for a refused mail',
    file: 'src/server/mail/worker.ts',
    find: 'return isFinal || ',
    replace: 'return ',
    tests: ['test/api/smtp.test.ts'],
  },
  {
    name: 'the note that a mail was sent',
    file: 'src/server/mail/worker.ts',
    find: '  await noteSent(deps, row)\n',
    replace: '',
    tests: ['test/api/smtp.test.ts'],
  },
  {
    name: 'the mails that another worker holds',
    file: 'src/server/mail/queries.ts',
    find: "        .where((or) => or.or([or('lockedUntil', 'is', null), or('lockedUntil', '<=', now)]))\n",
    replace: '',
    tests: ['test/api/register.test.ts'],
  },
  {
    name: 'the noting of a mail apart from its sending',
    file: 'src/server/mail/worker.ts',
    find: 'if (tries === NOTING_TRIES) throw error',
    replace: 'return markFailedTry(db, row.id, String(error), now())',
    tests: ['test/api/register.test.ts'],
  },
  {
    name: 'the pace that all workers share',
    file: 'src/server/mail/queries.ts',
    find: 'pace === null ? limit :',
    replace: 'limit === limit ? limit :',
    tests: ['test/api/register.test.ts'],
  },
]
