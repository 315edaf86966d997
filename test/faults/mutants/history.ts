import type { Mutant } from './mutant.ts'

/** Guards of a club's history. */
export const history: Mutant[] = [
  {
    name: 'the own club behind a filter',
    file: 'src/server/history/queries.ts',
    find: ': alongIndex([club, ...wanted], shown, end)',
    replace: ': alongIndex(wanted.length > 0 ? wanted : [club], shown, end)',
    tests: ['test/api/history.test.ts'],
  },
  {
    name: 'what visitors do, which is left out',
    file: 'src/server/history/queries.ts',
    find: 'const shown = [sql`user_id is not null`,',
    replace: 'const shown = [sql`true`,',
    tests: ['test/api/history-entries.test.ts'],
  },
  {
    name: 'the name of the operator',
    file: 'src/server/history/words.ts',
    find: 'isByOperator ? texts.operator() : ',
    replace: '',
    tests: ['test/api/history-entries.test.ts'],
  },
  {
    name: 'the name of whoever has left the team',
    file: 'src/server/history/queries.ts',
    find: 'coalesce(u.full_name, f.full_name) as by',
    replace: 'u.full_name as by',
    tests: ['test/api/history-entries.test.ts'],
  },
  {
    name: 'the name of whoever did not accept an invitation',
    file: 'src/server/db/migrations/022-history.ts',
    find: 'when (old.club_id is not null and old.invited_until is null)',
    replace: 'when (old.club_id is not null)',
    tests: ['test/api/history-entries.test.ts'],
  },
  {
    name: 'the personal data of a member',
    file: 'src/server/users/save-user.ts',
    find: 'differences(locked, user, { shown: [], named })',
    replace: 'differences(locked, user, { shown: named, named: [] })',
    tests: ['test/api/history-entries.test.ts'],
  },
  {
    name: 'the event of what is removed',
    file: 'src/server/db/migrations/022-history.ts',
    find: 'else select event_id into new.event_id from registrations where id = new.subject_id;',
    replace: '',
    tests: ['test/api/history-entries.test.ts'],
  },
]
