import { expect, test } from 'vitest'
import { fieldInWords } from './field-words.ts'

test.each([
  ['newRegistration.registrationData.email', 'Enter an e-mail address.', 'E-mail: Enter an e-mail address.'],
  ['password', 'Password is required!', 'Password is required!'],
  ['payload.formQuestions.0.options.2', 'This option is there already.', 'Options: This option is there already.'],
  ['payload.clubId', 'Expected an id.', 'Club id: Expected an id.'],
  ['others.3', 'Too long.', 'Answers: Too long.'],
  ['', 'This is not valid.', 'This is not valid.'],
])('%s is named in words', (path, msg, words) => {
  expect(fieldInWords({ path, msg: () => msg })).toBe(words)
})
