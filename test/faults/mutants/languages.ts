import type { Mutant } from './mutant.ts'

const tests = ['test/api/languages.test.ts']

export const languages: Mutant[] = [
  {
    name: 'only the languages that the club offers',
    file: 'src/server/http/pages/page-language.ts',
    find: 'offered.some((each) => each === language)',
    replace: 'isLanguage(language)',
    tests,
  },
  {
    name: 'the choice before the link',
    file: 'src/server/http/pages/page-language.ts',
    find: 'const wanted = [cookies[CHOICE_COOKIE.name], linkLanguage(request), cookies[LINK_COOKIE], own]',
    replace: 'const wanted = [linkLanguage(request), cookies[CHOICE_COOKIE.name], cookies[LINK_COOKIE], own]',
    tests,
  },
  {
    name: 'a choice leads back to this site alone',
    file: 'src/server/http/pages/language-choice.ts',
    find: "if (page?.origin !== SITE) return '/'",
    replace: 'if (!page) return address',
    tests,
  },
  {
    name: 'no second slash at the beginning of the way back',
    file: 'src/server/http/pages/language-choice.ts',
    find: "page.pathname.replace(/^\\/+/, '/')",
    replace: 'page.pathname',
    tests,
  },
  {
    name: 'a rendered page is kept for its language alone',
    file: 'src/server/http/pages/public-pages.ts',
    find: '{asker.language} $',
    replace: '',
    tests,
  },
  {
    name: 'a language that the club has dropped',
    file: 'src/contract/values/languages.ts',
    find: 'others.find((language) => language === asked) ?? main ?? languages[0]',
    replace: '(isLanguage(asked) ? asked : null) ?? others[0] ?? main ?? languages[0]',
    tests,
  },
  {
    name: 'nobody asks for English by saying nothing',
    file: 'src/server/http/request-language.ts',
    find: 'return isNamed ? language : null',
    replace: 'return language',
    tests,
  },
  {
    name: 'an earlier translation only where its text has gone',
    file: 'src/server/translations/stored.ts',
    find: 'before === undefined || current.has(before) ? undefined : textIn(dictionary, before)',
    replace: 'before === undefined ? undefined : textIn(dictionary, before)',
    tests: ['test/api/translations.test.ts'],
  },
  {
    name: 'a text that is the name of a function of every object',
    file: 'src/server/records/to-event.ts',
    find: 'return dictionary && Object.hasOwn(dictionary, key) ? dictionary[key] : undefined',
    replace: 'return dictionary?.[key]',
    tests: ['test/api/translations.test.ts'],
  },
  {
    name: 'a translation of a text that has changed meanwhile',
    file: 'src/server/translations/routes.ts',
    find: 'if (kind === undefined) conflicts.push(',
    replace: 'if (kind === undefined) void (',
    tests: ['test/api/translations.test.ts'],
  },
  {
    name: 'a translation that a colleague has changed meanwhile',
    file: 'src/server/translations/routes.ts',
    find: 'was !== undefined && now !== was && now !== text',
    replace: 'was !== undefined && now !== was && now === text',
    tests: ['test/api/translations.test.ts'],
  },
  {
    name: 'the lock of two who translate at the same moment',
    file: 'src/server/translations/routes.ts',
    find: '{ [language]: stored = {}, ...others } = before.translations',
    replace: '{ [language]: stored = {}, ...others } = event.translations',
    tests: ['test/api/translations.test.ts'],
  },
  {
    name: 'line breaks only in descriptions',
    file: 'src/server/translations/routes.ts',
    find: "text.includes('\\n') && !hasLines(kind)",
    replace: 'false',
    tests: ['test/api/translations.test.ts'],
  },
]
