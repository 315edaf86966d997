import { describeError } from '../describe-error.ts'

/**
 * The meaning of a failed send:
 * - `final`: this receiver or this content is refused, trying again is pointless.
 * - `ours`: the server, the login, or the sender is at fault, so no mail would go out. Pauses the queue.
 * - `policy`: refused by a rule. It may be about us (a daily limit) or about this mail (taken for spam).
 * - `later`: anything else; this mail is tried again.
 */
export type Verdict = 'final' | 'ours' | 'policy' | 'later'

/** Codes of failures before a mail is handed over: no connection, no TLS, no login, or no space for the outbox. */
const oursByCode = /^(EAUTH|ENOAUTH|EOAUTH2|ETLS|EDNS|EPROTOCOL|ECONNREFUSED|ENOSPC|EDQUOT|EROFS|EACCES)$/

/** Judges an error of `Mailer.send` by what the mail server answered, and to which command. */
export function judge(error: unknown): Verdict {
  const { code, command, responseCode, response, message, syscall, timeoutType } = partsOf(error)
  if (oursByCode.test(code) || responseCode === 530 || responseCode === 535) return 'ours'
  // A timeout or a lost connection later on may have been caused by this mail.
  if (syscall === 'connect' || /^(CONNECTION|GREETING)/.test(timeoutType)) return 'ours'
  if (command === 'EHLO' || command === 'HELO' || /Invalid sender/.test(message)) return 'ours'
  const enhanced = /\b[245]\.(\d{1,3})\.(\d{1,3})\b/.exec(response)
  const [subject, detail] = [Number(enhanced?.[1]), Number(enhanced?.[2])]
  const isTooLarge = responseCode === 552 || (subject === 3 && detail === 4)
  const isUnsendable = command === 'API' ? code === 'EENVELOPE' : code === 'EMESSAGE' && responseCode === 0
  if (isUnsendable || (isTooLarge && responseCode >= 500)) return 'final'
  if (command === 'MAIL FROM') return 'ours'
  if (responseCode < 500) return 'later'
  // Many servers judge the sender only when they hear of the receiver: 5.1.7 and 5.1.8, or in words.
  const isAboutSender = (subject === 1 && (detail === 7 || detail === 8)) || /\bsender\b/i.test(response)
  const isRefusedReceiver = enhanced
    ? [1, 2, 6].includes(subject)
    : command === 'RCPT TO' && responseCode >= 550 && responseCode <= 553
  return isRefusedReceiver && !isAboutSender ? 'final' : 'policy'
}

/** The error's words without e-mail addresses, for logs and the operator. */
export function reasonOf(error: unknown): string {
  return describeError(error)
    .message.replace(/\s+/g, ' ')
    .replace(/[^\s<>,;:"']+@[^\s<>,;:"']+/g, '…')
    .slice(0, 300)
}

function partsOf(error: unknown) {
  const parts = new Map<string, unknown>(typeof error === 'object' && error !== null ? Object.entries(error) : [])
  const text = (name: string) => String(parts.get(name) ?? '')
  return {
    code: text('code'),
    command: text('command'),
    response: text('response'),
    syscall: text('syscall'),
    timeoutType: text('timeoutType'),
    responseCode: Number(parts.get('responseCode') ?? 0),
    message: describeError(error).message,
  }
}
