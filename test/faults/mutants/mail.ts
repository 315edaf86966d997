import type { Mutant } from './mutant.ts'

export const mail: Mutant[] = [
  {
    name: 'the second try of a mail',
    file: 'src/server/mail/send-due.ts',
    find: "const nextTry = verdict === 'later' ? next(lead.attempts) : null",
    replace: 'const nextTry = null',
    tests: ['test/api/smtp.test.ts'],
  },
  {
    name: 'the end of tries for a refused mail',
    file: 'src/server/mail/send-due.ts',
    find: "const nextTry = verdict === 'later' ? ",
    replace: "const nextTry = verdict === 'later' || verdict === 'final' ? ",
    tests: ['test/api/smtp.test.ts'],
  },
  {
    name: 'the note that a mail was sent',
    file: 'src/server/mail/queries.ts',
    find: "update mails set status = 'sent', sent_at = sent.at",
    replace: 'update mails set status = mails.status, sent_at = sent.at',
    tests: ['test/api/smtp.test.ts'],
  },
  {
    name: 'the mails that another worker holds',
    file: 'src/server/mail/claim-queries.ts',
    find: '(locked_until is null or ',
    replace: '(true or ',
    tests: ['test/api/ticket-mail.test.ts'],
  },
  {
    name: 'the lease kept for what was sent and could not be noted',
    file: 'src/server/mail/send-due.ts',
    find: ', ...unnoted.keys()]',
    replace: ']',
    tests: ['test/api/mail-queue.test.ts'],
  },
  {
    name: 'the pace that all workers share',
    file: 'src/server/mail/claim-queries.ts',
    find: 'pace === null ? limit :',
    replace: 'limit === limit ? limit :',
    tests: ['test/api/ticket-mail.test.ts'],
  },
  {
    name: 'that a font forgets what one PDF drew before the next',
    file: 'src/server/tickets/ticket-pdf.ts',
    find: '  forgetGlyphs()\n',
    replace: '',
    tests: ['test/api/ticket-pdf.test.ts'],
  },
  {
    name: 'that a word kept for other PDFs has its own letters only',
    file: 'src/server/tickets/pdf-drawing.ts',
    find: '    forgetGlyphs([face])\n',
    replace: '',
    tests: ['test/api/ticket-pdf.test.ts'],
  },
  {
    name: 'that mails to one address are looked up by it',
    file: 'src/server/mail/claim-queries.ts',
    find: " and r.email <> '' and r.status <> 'cancelled' offset 0",
    replace: " and r.status <> 'cancelled' offset 0",
    tests: ['test/api/keys.test.ts'],
  },
  {
    name: 'that mails go out while those that visitors caused cannot be counted',
    file: 'src/server/mail/send-due.ts',
    find: '      return leadIds\n',
    replace: '      throw error\n',
    tests: ['test/api/mail-queue.test.ts'],
  },
]
