import type { Mutant } from './mutant.ts'

const tests = ['test/api/public-pages.test.ts']

export const pages: Mutant[] = [
  {
    name: 'the comparison of a kept page with what it shows now',
    file: 'src/server/http/pages/public-pages.ts',
    find: 'if (isSame(answers, before.answers)) return before.page',
    replace: 'if (answers.length > 0) return before.page',
    tests,
  },
  {
    name: 'the one registration of a form that is sent twice',
    file: 'src/server/http/pages/public-pages.ts',
    find: 'const idempotencyKey = uuidOf(address, body, from.browser)',
    replace: 'const idempotencyKey = randomUUID()',
    tests,
  },
  {
    name: 'the most fields of a form',
    file: 'src/server/http/pages/public-pages.ts',
    find: "if (fields.length > MOST_FIELDS) throw new Refusal('TOO_LARGE')",
    replace: '',
    tests,
  },
  {
    name: 'the escape of the data within the page',
    file: 'src/server/http/pages/public-pages.ts',
    find: "data.replaceAll('<', '\\\\u003c')",
    replace: 'data',
    tests,
  },
  {
    name: 'the refusal of a form from another site',
    file: 'src/server/http/xsrf.ts',
    find: "(request.headers['sec-fetch-site'] ?? (cookie ? 'same-origin' : 'none')) !== 'same-origin'",
    replace: 'false',
    tests,
  },
  {
    name: 'the notation of a phone number that makes no other body',
    file: 'src/server/places/fingerprint.ts',
    find: "phone.replace(/[^\\d+]/g, '')",
    replace: 'phone',
    tests: ['test/api/register.test.ts'],
  },
  {
    name: 'the page of a ticket that says itself that there is none',
    file: 'src/server/http/pages/public-pages.ts',
    find: "return status === 200 || (status === 404 && publicPageAt(pathOf(address)) === 'secret')",
    replace: 'return status === 200',
    tests: ['test/api/ticket-pages.test.ts'],
  },
]
