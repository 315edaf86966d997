import type { Mutant } from './mutant.ts'

export const staff: Mutant[] = [
  {
    name: 'the version an event was seen in',
    file: 'src/server/events/save-event.ts',
    find: "if (version !== undefined && version !== before.version) throw new Refusal('EDIT_CONFLICT')",
    replace: '',
    tests: ['test/api/versions.test.ts'],
  },
  {
    name: 'the version a club was seen in',
    file: 'src/server/clubs/save-club.ts',
    find: "if (before && version !== undefined && version !== before.version) throw new Refusal('EDIT_CONFLICT')",
    replace: '',
    tests: ['test/api/versions.test.ts'],
  },
  {
    name: 'the version a question was seen in',
    file: 'src/server/forms/save-form.ts',
    find: "if (isStale || hasMore) throw new Refusal('EDIT_CONFLICT')",
    replace: '',
    tests: ['test/api/forms.test.ts'],
  },
  {
    name: 'the check whose question it is',
    file: 'src/server/forms/save-form.ts',
    find: 'if (!known.has(id)) wrong.push({ path, msg: answerTexts.unknownQuestion })\n    else if',
    replace: 'if',
    tests: ['test/api/forms.test.ts'],
  },
  {
    name: 'the paid registrations that keep an event',
    file: 'src/server/events/remove-event.ts',
    find: "if (before.status !== 'cancelled' && (await hasPaidRegistrations(tx, event.id))) throw new Refusal('HAS_PAID')",
    replace: '',
    tests: ['test/api/events.test.ts'],
  },
  {
    name: 'the refusal of automatic changes',
    file: 'src/server/http/implement.ts',
    find: "if (isPrefetch || headers['sec-fetch-site'] === 'cross-site') throw new Refusal('NOT_ALLOWED')",
    replace: 'if (isPrefetch) return',
    tests: ['test/api/attendees.test.ts'],
  },
  {
    name: 'the look at what an image is',
    file: 'src/server/images/make-image.ts',
    find: "if (type?.mime !== 'image/jpeg' && type?.mime !== 'image/png')",
    replace: "if (type?.mime === 'image/bmp')",
    tests: ['test/api/images.test.ts'],
  },
  {
    name: 'the turning of an image upright',
    file: 'src/server/images/make-image.ts',
    find: "failOn: 'error' }).autoOrient()",
    replace: "failOn: 'error' })",
    tests: ['test/api/images.test.ts'],
  },
]
