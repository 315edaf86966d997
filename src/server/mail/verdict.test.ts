import { expect, test } from 'vitest'
import { senderWarning } from './smtp.ts'
import { judge, reasonOf } from './verdict.ts'

const failure = (parts: object, message = 'refused') => Object.assign(new Error(message), parts)
const answer = (command: string, response: string, code = 'EENVELOPE') =>
  failure({ code, command, response, responseCode: Number(response.slice(0, 3)) })

test.each([
  ['a receiver that is not there', answer('RCPT TO', '550 5.1.1 No such user'), 'final'],
  ['a receiver that is not there, without an enhanced code', answer('RCPT TO', '550 No such user'), 'final'],
  ['a full mailbox for good', answer('RCPT TO', '552 5.2.2 Mailbox full'), 'final'],
  ['an address that is none', failure({ code: 'EENVELOPE', command: 'API' }, 'Invalid recipient "x"'), 'final'],
  ['a mail that is too large', answer('MAIL FROM', '552 5.3.4 Too big'), 'final'],
  ['greylisting', answer('RCPT TO', '450 4.7.1 Greylisted'), 'later'],
  ['a busy server', answer('DATA', '451 Try later', 'EMESSAGE'), 'later'],
  ['a line that broke', failure({ code: 'ECONNECTION', command: 'CONN' }), 'later'],
  ['a server that stalls', failure({ code: 'ETIMEDOUT', command: 'CONN', timeoutType: 'SOCKET_TIMEOUT' }), 'later'],
  ['relaying', answer('RCPT TO', '554 5.7.1 Relay access denied'), 'policy'],
  ['spam, or a limit', answer('DATA', '554 5.7.1 Message refused', 'EMESSAGE'), 'policy'],
  ['a wrong password', answer('AUTH PLAIN', '535 5.7.8 Bad credentials', 'EAUTH'), 'ours'],
  ['a login that is asked for', answer('MAIL FROM', '530 5.7.0 Authentication required'), 'ours'],
  ['a greeting that refuses', answer('CONN', '554 Go away', 'EPROTOCOL'), 'ours'],
  ['a server that is not there', failure({ code: 'ESOCKET', command: 'CONN', syscall: 'connect' }), 'ours'],
  ['a name that is not found', failure({ code: 'EDNS', command: 'CONN' }), 'ours'],
  ['a sender that is refused', answer('MAIL FROM', '553 5.7.1 Sender not owned'), 'ours'],
  [
    'a sender that is refused with the receiver',
    answer('RCPT TO', '550 5.1.8 Sender address rejected: Domain not found'),
    'policy',
  ],
  ['a sender that is refused in words', answer('RCPT TO', '550 Sender verify failed'), 'policy'],
  ['a limit without an enhanced code', answer('DATA', '550 Daily limit exceeded', 'EMESSAGE'), 'policy'],
  ['a full disk under the outbox', failure({ code: 'ENOSPC', syscall: 'write' }), 'ours'],
] as const)('%s is judged rightly', (_what, error, verdict) => {
  expect(judge(error)).toBe(verdict)
})

test('what the operator reads holds no address', () => {
  const error = new Error('550 <ada.lovelace+x@mail.example.org>:\r\n relay denied for "ada@example.org"')
  expect(reasonOf(error)).toBe('550 <…>: relay denied for "…"')
})

test('a sender that nobody set is warned of where mails leave the house', () => {
  const [smtpUrl, mailFrom] = ['smtp://mail.example.org', 'Turnout <turnout@localhost>']
  expect(senderWarning({ smtpUrl, mailFrom })).toContain('MAIL_FROM')
  expect(senderWarning({ smtpUrl: null, mailFrom })).toBeNull()
  expect(senderWarning({ smtpUrl, mailFrom: 'Club <club@example.org>' })).toBeNull()
})
