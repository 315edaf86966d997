import { expect, test } from 'vitest'
import { wordsOnCancelling, wordsOnRemoval } from './removal-words.ts'

test('the words on removing and cancelling an event read well for none, one and many', () => {
  expect(wordsOnRemoval(0)).toBe('Nobody is registered. It cannot be undone.')
  expect(wordsOnRemoval(1)).toMatch(/^Its only registration is removed too, with its answers, ticket and check-in\. It/)
  expect(wordsOnRemoval(1234)).toMatch(/^Its 1,234 registrations are removed too, with their answers, tickets and/)
  expect(wordsOnCancelling(0)).toBe('Registration closes for good. Nobody is registered.')
  expect(wordsOnCancelling(1)).toContain('the one person who is registered is told by mail. Whoever')
  expect(wordsOnCancelling(12)).toContain('and all 12 who are registered are told by mail')
})
