import { expect, test } from 'vitest'
import { originalText } from './original-text.ts'

const unset = {
  baseUrl: 'https://tickets.example.org',
  mailFrom: 'Turnout <turnout@localhost>',
  operatorName: null,
  operatorContact: null,
}

test('the privacy policy names who is responsible', () => {
  const named = { ...unset, operatorName: 'Rowing Federation', operatorContact: 'office@rowing.example' }
  const text = originalText('privacy-policy', named)
  expect(text).toContain('the responsibility lies with Rowing Federation.')
  expect(text).toContain('You reach Rowing Federation at office@rowing.example.')
})

test('without settings, the site’s address and the sender of its e-mails stand for the operator', () => {
  const text = originalText('privacy-policy', { ...unset, mailFrom: 'Events <events@club.example>' })
  expect(text).toContain('You reach the operator of tickets.example.org at events@club.example.')
})

test.each(['Turnout <turnout@localhost>', 'No reply <no-reply@club.example>', 'noreply@club.example'])(
  'nobody is sent to %s, which nobody reads',
  (mailFrom) => {
    const text = originalText('privacy-policy', { ...unset, mailFrom })
    expect(text).toContain('You reach the operator through the club')
  },
)
