import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * Proves the tests: takes one guard at a time out of a copy of the code and expects the tests named to turn red.
 * `npm run mutants [part of a name]`; it ends with 1 when a mutant survives, which means that a test is missing.
 */
interface Mutant {
  /** What is taken out. */
  name: string
  file: string
  find: string
  replace: string
  /** The test files that must notice. */
  tests: string[]
}

const migration = 'src/server/db/migrations/001-start.ts'
const placing = 'src/server/registrations/queries.ts'
const deciding = 'src/server/checkins/decide-scans.ts'
const doorMigration = 'src/server/db/migrations/006-door.ts'
const race = 'test/concurrency/seats.test.ts'
const scans = 'test/concurrency/scans.test.ts'
const register = 'test/api/register.test.ts'
const auth = 'test/api/auth.test.ts'
const access = 'test/api/access.test.ts'
const smtp = 'test/api/smtp.test.ts'
const staff = 'test/api/staff.test.ts'
const forms = 'test/api/forms.test.ts'
const holder = 'test/api/ticket-holder.test.ts'
const payments = 'test/api/payments.test.ts'
const money = 'test/concurrency/money.test.ts'
const vouchers = 'test/api/vouchers.test.ts'
const attendees = 'test/api/attendees.test.ts'
const door = 'test/api/door.test.ts'
const sync = 'test/api/sync-scans.test.ts'

// Three guards are not here, because without them the outcome is the same, only slower or now and then an error: the counting of
// seats within one batch, the same person kept out of one batch, and the lock on the events of a batch. The database's constraint
// refuses such a batch and it is placed one by one.
const mutants: Mutant[] = [
  {
    name: 'the conditional seat update',
    file: placing,
    find: 'where e.max_attendees is null or e.registration_count + fresh.place <= e.max_attendees',
    replace: '',
    tests: [race],
  },
  {
    name: 'the check of the capacity in the database',
    file: migration,
    find: ',\n  constraint events_capacity check (max_attendees is null or registration_count <= max_attendees)',
    replace: '',
    tests: [register, 'test/api/events.test.ts'],
  },
  {
    name: 'the unique index on the live person',
    file: 'src/server/db/migrations/002-staff.ts',
    find: 'create unique index registrations_live_key',
    replace: 'create index registrations_live_key',
    tests: [register],
  },
  {
    name: 'the look for who is registered already',
    file: placing,
    find: 'and lower(r.email) = lower(input.email) and lower(r.name) = lower(input.name)',
    replace: 'and false',
    tests: [race, register],
  },
  {
    name: 'the answer to a key used before',
    file: 'src/server/registrations/register.ts',
    find: "if (same) return same.fingerprint === request.fingerprint ? same : new Refusal('IDEMPOTENCY_MISMATCH')",
    replace: '',
    tests: [race, register],
  },
  {
    name: 'the mail row of a registration',
    file: placing,
    find: "from saved where email <> '' and status = 'confirmed'",
    replace: 'from saved where false',
    tests: [race, register],
  },
  {
    name: 'the log row of a registration',
    file: placing,
    find: "jsonb_build_object('status', status) from saved",
    replace: "jsonb_build_object('status', status) from saved where false",
    tests: [race, register],
  },
  {
    name: 'the unique check-in of a registration',
    file: migration,
    find: 'constraint checkins_registration_key unique references',
    replace: 'references',
    tests: [register, scans],
  },
  {
    name: 'the condition that a check-in is not there yet',
    file: 'src/server/checkins/queries.ts',
    find: "        .where('checkins.status', '=', false),\n",
    replace: '',
    tests: [scans, 'test/api/checkin.test.ts'],
  },
  {
    name: 'the answer of a scan that came before',
    file: deciding,
    find: 'const isFirst = (scan: Scan) => scan.scanId === null || !earlier.has(scan.scanId)',
    replace: 'const isFirst = (_scan: Scan) => true',
    tests: [scans, 'test/api/checkin.test.ts'],
  },
  {
    name: 'the club of a scanned ticket',
    file: deciding,
    find: 'if (!ticket || ticket.clubId !== event.clubId) return null',
    replace: 'if (!ticket) return null',
    tests: ['test/api/checkin.test.ts'],
  },
  {
    name: 'the secret of a ticket',
    file: 'src/server/registrations/find-ticket.ts',
    find: "!(isOwn || isSame(row.qrUuid, qrUuid ?? ''))",
    replace: '!(isOwn || qrUuid)',
    tests: [register],
  },
  {
    name: 'the check of the token',
    file: 'src/server/access/gate.ts',
    find: "if (!caller) throw new Refusal('SIGN_IN_NEEDED')",
    replace: 'if (!caller) return',
    tests: [access],
  },
  {
    name: 'the check of the role',
    file: 'src/server/access/gate.ts',
    find: "if (access.who === 'sudo' && caller.role !== 'sudo') throw new Refusal('NOT_ALLOWED')",
    replace: '',
    tests: [access],
  },
  {
    name: 'the check whose event it is',
    file: 'src/server/access/own-event.ts',
    find: 'if (event === null || (clubId !== null && event.clubId !== clubId)) return null',
    replace: 'if (event === null) return null',
    tests: [access],
  },
  {
    name: 'the check whose club it is',
    file: 'src/server/access/gate.ts',
    find: "caller.role === 'sudo' || caller.clubId === clubId ? await ownClub(db, clubId) : null",
    replace: 'await ownClub(db, clubId)',
    tests: [access],
  },
  {
    name: 'the end of an idle session',
    file: 'src/server/auth/queries.ts',
    find: "    .where('lastUsedAt', '>', idleSince)\n",
    replace: '',
    tests: [access],
  },
  {
    name: 'the limit of tries',
    file: 'src/server/auth/limit-tries.ts',
    find: 'if (!over?.tried) return',
    replace: 'if (!over?.tried || over) return',
    tests: [auth],
  },
  {
    name: 'the work done for an unknown e-mail',
    file: 'src/server/auth/passwords.ts',
    find: 'const fits = await verifyIn(passwordHash ?? (await nobodysHash), password)',
    replace: 'const fits = passwordHash !== null && (await verifyIn(passwordHash, password))',
    tests: [auth],
  },
  {
    name: 'the end of sessions with a new password',
    file: 'src/server/users/save-user.ts',
    find: 'if (passwordHash !== null) await deleteSessionsOf(tx, id, isSelf ? caller.tokenHash : null)',
    replace: '',
    tests: [auth],
  },
  {
    name: 'the unique index on sign-in addresses',
    file: migration,
    find: 'create unique index users_email_key',
    replace: 'create index users_email_key',
    tests: [auth],
  },
  {
    name: 'the XSRF check',
    file: 'src/server/http/xsrf.ts',
    find: "if (request.headers['x-xsrf-token'] !== expected) throw new Refusal('XSRF')",
    replace: '',
    tests: [access],
  },
  {
    name: 'the second try of a mail',
    file: 'src/server/mail/worker.ts',
    find: 'return isFinal || next.getTime() - createdAt.getTime() > GIVE_UP_MS ? null : next',
    replace: 'return null',
    tests: [smtp],
  },
  {
    name: 'the end of tries for a refused mail',
    file: 'src/server/mail/worker.ts',
    find: 'return isFinal || ',
    replace: 'return ',
    tests: [smtp],
  },
  {
    name: 'the note that a mail was sent',
    file: 'src/server/mail/worker.ts',
    find: '  await noteSent(deps, row)\n',
    replace: '',
    tests: [smtp],
  },
  {
    name: 'the mails that another worker holds',
    file: 'src/server/mail/queries.ts',
    find: "        .where((or) => or.or([or('lockedUntil', 'is', null), or('lockedUntil', '<=', now)]))\n",
    replace: '',
    tests: [register],
  },
  {
    name: 'the noting of a mail apart from its sending',
    file: 'src/server/mail/worker.ts',
    find: 'if (tries === NOTING_TRIES) throw error',
    replace: 'return markFailedTry(db, row.id, String(error), now())',
    tests: [register],
  },
  {
    name: 'the version an event was seen in',
    file: 'src/server/events/save-event.ts',
    find: "if (version !== undefined && version !== before.version) throw new Refusal('EDIT_CONFLICT')",
    replace: '',
    tests: [staff],
  },
  {
    name: 'the version a club was seen in',
    file: 'src/server/clubs/save-club.ts',
    find: "if (before && version !== undefined && version !== before.version) throw new Refusal('EDIT_CONFLICT')",
    replace: '',
    tests: [staff],
  },
  {
    name: 'the version a question was seen in',
    file: 'src/server/forms/save-form.ts',
    find: "if (isStale || hasMore) throw new Refusal('EDIT_CONFLICT')",
    replace: '',
    tests: [forms],
  },
  {
    name: 'the check whose question it is',
    file: 'src/server/forms/save-form.ts',
    find: "if (!known.has(id)) wrong.push({ path, msg: 'This question is not part of the form.' })\n    else if",
    replace: 'if',
    tests: [forms],
  },
  {
    name: 'the judging of answers',
    file: 'src/server/registrations/check-person.ts',
    find: 'const wrong = wrongAnswers(questions, others)',
    replace: 'const wrong: FieldError[] = []',
    tests: [forms],
  },
  {
    name: 'the event of a registration that staff change',
    file: placing,
    find: "    .where('eventId', '=', event.id)\n    .orderBy('id')\n    .forNoKeyUpdate()",
    replace: "    .orderBy('id')\n    .forNoKeyUpdate()",
    tests: [attendees],
  },
  {
    name: 'the free seat that confirming again needs',
    file: 'src/server/registrations/change-status.ts',
    find: "if (!(await takeAgain(tx, before))) throw new Refusal('SOLD_OUT')",
    replace: 'await freeSeats(tx, before.eventId, -1)',
    tests: [attendees],
  },
  {
    name: 'the seat that a removal frees',
    file: 'src/server/registrations/remove-registration.ts',
    find: '      await freeSeats(tx, event.id, 1)\n',
    replace: '',
    tests: [attendees],
  },
  {
    name: 'the wildcards of a search taken as they are',
    file: 'src/server/registrations/attendee-queries.ts',
    find: "part.replace(/[\\\\%_]/g, '\\\\$&')",
    replace: 'part',
    tests: [attendees],
  },
  {
    name: 'the paid registrations that keep an event',
    file: 'src/server/events/remove-event.ts',
    find: "if ((await hasPaidRegistrations(tx, event.id)) && before.status !== 'cancelled') throw new Refusal('HAS_PAID')",
    replace: '',
    tests: [staff],
  },
  {
    name: 'the single use of a password link',
    file: 'src/server/auth/queries.ts',
    find: "    .deleteFrom('passwordResets')\n    .where('tokenHash', '=', tokenHash)\n    .where('expiresAt', '>', now)",
    replace: "    .deleteFrom('passwordResets')\n    .where('tokenHash', '=', tokenHash)",
    tests: [staff],
  },
  {
    name: 'the sessions that a password link ends',
    file: 'src/server/auth/reset-password.ts',
    find: '    await queries.deleteSessionsOf(tx, userId, null)\n',
    replace: '',
    tests: [staff],
  },
  {
    name: 'the refusal of automatic changes',
    file: 'src/server/http/implement.ts',
    find: "if (isPrefetch || headers['sec-fetch-site'] === 'cross-site') throw new Refusal('NOT_ALLOWED')",
    replace: 'if (isPrefetch) return',
    tests: [attendees],
  },
  {
    name: 'the look at what an image is',
    file: 'src/server/images/make-image.ts',
    find: "if (type?.mime !== 'image/jpeg' && type?.mime !== 'image/png') throw",
    replace: "if (type?.mime === 'image/bmp') throw",
    tests: ['test/api/images.test.ts'],
  },
  {
    name: 'the stripping of what an image carries',
    file: 'src/server/images/make-image.ts',
    find: "failOn: 'error' }).autoOrient()",
    replace: "failOn: 'error' }).autoOrient().keepMetadata()",
    tests: ['test/api/images.test.ts'],
  },
  {
    name: 'holder: the secret of who gives a place back',
    file: 'src/server/registrations/give-back.ts',
    find: '!known || !isSame(known.qrUuid, qrUuid)',
    replace: '!known',
    tests: [holder],
  },
  {
    name: 'holder: the secret of who corrects',
    file: 'src/server/registrations/correct-own.ts',
    find: '!before || !isSame(before.qrUuid, qrUuid)',
    replace: '!before',
    tests: [holder],
  },
  {
    name: 'holder: the deadline of corrections',
    file: 'src/server/registrations/correct-own.ts',
    find: "if (now() >= correctionsEnd(event)) throw new Refusal('CORRECTIONS_CLOSED')",
    replace: '',
    tests: [holder],
  },
  {
    name: 'holder: the secret of who opens a ticket',
    file: 'src/server/registrations/find-ticket.ts',
    find: '!row || !isSame(row.qrUuid, qrUuid)',
    replace: '!row',
    tests: [holder],
  },
  {
    name: 'holder: the limit of tickets mailed again',
    file: 'src/server/registrations/mail-tickets.ts',
    find: 'most: MOST_BY_EMAIL',
    replace: 'most: 1_000',
    tests: [holder],
  },
  {
    name: 'mail: the pace that all workers share',
    file: 'src/server/mail/queries.ts',
    find: 'pace === null ? limit :',
    replace: 'limit === limit ? limit :',
    tests: [register],
  },
  {
    name: 'pay: that a payment is settled once',
    file: 'src/server/payments/settle.ts',
    find: "  if (payment.status === 'paid') return\n",
    replace: '',
    tests: [payments, money],
  },
  {
    name: 'pay: that a payment of somebody confirmed goes back',
    file: 'src/server/payments/settle.ts',
    find: "if (status === 'confirmed') return 'paid twice'",
    replace: "if (status === 'confirmed') return null",
    tests: [payments, money],
  },
  {
    name: 'pay: the look for a seat when it is paid too late',
    file: 'src/server/payments/settle.ts',
    find: '  if (!(await takeSeat(tx, eventId))) return false\n',
    replace: '  await takeSeat(tx, eventId)\n',
    tests: [payments, money],
  },
  {
    name: 'pay: that a hold has an end',
    file: placing,
    find: "set status = 'cancelled', cancel_reason = 'hold ended', hold_expires_at = null\n      where",
    replace: "set status = 'cancelled', cancel_reason = 'hold ended', hold_expires_at = null\n      where false and",
    tests: [payments, money],
  },
  {
    name: 'pay: the one live session of a registration',
    file: 'src/server/payments/checkout.ts',
    find: '  if (live) return live\n',
    replace: '',
    tests: [payments, money],
  },
  {
    name: 'pay: the key with which a session is opened',
    file: 'src/server/payments/checkout.ts',
    find: '{ idempotencyKey: payment.key }',
    replace: '{}',
    tests: [payments, money],
  },
  {
    name: 'pay: the look for a refund whose answer was lost',
    file: 'src/server/payments/worker.ts',
    find: 'if (attempts > 1) {',
    replace: 'if (attempts > 999) {',
    tests: [payments],
  },
  {
    name: 'pay: the signature of what the bank tells',
    file: 'src/server/payments/stripe-events.ts',
    find: "      throw new Refusal('BAD_SIGNATURE')",
    replace: '      return JSON.parse(body.toString())',
    tests: [payments],
  },
  {
    name: 'pay: that not more goes back than is left',
    file: 'src/server/payments/give-money-back.ts',
    find: "if (wanted > left) throw new Refusal('REFUND_TOO_LARGE')",
    replace: '',
    tests: [payments],
  },
  {
    name: 'pay: the secret of who asks for a checkout',
    file: 'src/server/payments/checkout.ts',
    find: '!known || !isSame(known.qrUuid, qrUuid)',
    replace: '!known',
    tests: [payments],
  },
  {
    name: 'pay: that an event called off gives the money back',
    file: 'src/server/events/save-event.ts',
    find: "await queueRefund(tx, payment, payment.amount - payment.refunded, 'event cancelled', now)",
    replace: 'void payment',
    tests: [payments],
  },
  {
    name: 'vouchers: the stock that is looked at',
    file: 'src/server/registrations/vouchers-wanted.ts',
    find: 'const short = wanted.find(',
    replace: 'const short = [].find(',
    tests: [vouchers],
  },
  {
    name: 'vouchers: that a unit is redeemed once',
    file: 'src/server/redemptions/redeem-units.ts',
    find: 'if (!isEnough(units, changes)) return notEnough(units, changes)',
    replace: '',
    tests: [vouchers],
  },
  {
    name: 'vouchers: that those chosen are the ticket’s own',
    file: 'src/server/redemptions/redeem.ts',
    find: 'const foreign = chosen.findIndex((id) => !own.includes(id))',
    replace: 'const foreign = chosen.findIndex((id) => !own.includes(id) && false)',
    tests: [vouchers],
  },
  {
    name: 'vouchers: that they are free again with their seat',
    file: 'src/server/registrations/change-status.ts',
    find: '  await freeVouchers(tx, id)\n',
    replace: '',
    tests: [vouchers],
  },
  {
    name: 'door: the secret of a scanned ticket',
    file: deciding,
    find: "if ('qrUuid' in code) return qrUuid === code.qrUuid",
    replace: "if ('qrUuid' in code) return true",
    tests: ['test/api/checkin.test.ts'],
  },
  {
    name: 'door: the digits of a short code',
    file: deciding,
    find: "return 'qrStart' in code ? qrUuid.startsWith(code.qrStart) : true",
    replace: 'return true',
    tests: ['test/api/checkin.test.ts'],
  },
  {
    name: 'door: that only who was shown in makes a conflict',
    file: deciding,
    find: 'if (!scan.wasShownIn || scan.scanId === null',
    replace: 'if (scan.scanId === null',
    tests: [sync],
  },
  {
    name: 'door: the conflict of a scan that lost',
    file: 'src/server/checkins/queries.ts',
    find: 'if (conflicts.length === 0) return []',
    replace: 'if (conflicts.length >= 0) return []',
    tests: [sync],
  },
  {
    name: 'door: the oldest transaction that has not ended',
    file: 'src/server/door/queries.ts',
    find: 'select pg_snapshot_xmin(snapshot)::text as next',
    replace: 'select pg_snapshot_xmax(snapshot)::text as next',
    tests: [door],
  },
  {
    name: 'door: the note of a check-in that changed',
    file: doorMigration,
    find: 'create trigger checkins_door before update on checkins for each row execute function note_door_change();',
    replace: '',
    tests: [door],
  },
  {
    name: 'door: the note of a ticket that is no more',
    file: doorMigration,
    find: 'create trigger registrations_removed after delete on registrations for each row execute function note_removed_ticket();',
    replace: '',
    tests: [door],
  },
  {
    name: 'door: the whole list for another form',
    file: 'src/server/door/door-list.ts',
    find: 'if (from === undefined || of !== form) return null',
    replace: 'if (from === undefined) return null',
    tests: [door],
  },
  {
    name: 'door: the whole list for the cursor of another database',
    file: 'src/server/door/door-list.ts',
    find: 'return BigInt(from) > BigInt(beyond) ? null : from',
    replace: 'return from',
    tests: [door],
  },
  {
    name: 'door: that only answers meant for the door are shown there',
    file: 'src/server/door/door-list.ts',
    find: '.filter(({ qId }) => questionIds.has(qId))',
    replace: '',
    tests: [door],
  },
  {
    name: 'door: that a scan taken back waits for those before it',
    file: 'src/server/door/sync-scans.ts',
    find: 'portions.push([scan], [])',
    replace: '(current ?? portions[portions.push([]) - 1])?.push(scan)',
    tests: [sync],
  },
  {
    name: 'door: that nobody takes back what another has done since',
    file: 'src/server/door/undo-scan.ts',
    find: 'checkin?.status && made && checkin.checkinTime?.toISOString() === made.checkinTime',
    replace: 'checkin?.status',
    tests: [sync],
  },
  {
    name: 'door: how long ago a scan was',
    file: 'src/server/door/sync-scans.ts',
    find: 'new Date(now().getTime() - agoMs)',
    replace: 'new Date(now().getTime() - 0 * agoMs)',
    tests: [sync],
  },
  {
    name: 'door: whose conflicts are looked into',
    file: 'src/server/checkins/queries.ts',
    find: "    .where('eventId', '=', eventId)\n    .where('scanId', 'in', scanIds)",
    replace: "    .where('scanId', 'in', scanIds)",
    tests: [sync],
  },
  {
    name: 'door: the secret on the phone',
    file: 'src/web/door/judge.ts',
    find: "return 'qrStart' in content ? startHash(content) === short : secretHash(content) === hash",
    replace: 'return short !== hash',
    tests: ['src/web/door/judge.test.ts'],
  },
  {
    name: 'door: what this phone did before the server knows',
    file: 'src/web/door/ticket-list.ts',
    find: 'return mark === undefined ? ticket : { ...ticket, in: mark }',
    replace: 'return mark === undefined ? ticket : ticket',
    tests: ['src/web/door/judge.test.ts'],
  },
  {
    name: 'door: that a list with a gap is needed anew',
    file: 'src/web/door/ticket-list.ts',
    find: 'if (tickets.size !== count) return null',
    replace: '',
    tests: ['src/web/door/ticket-list.test.ts'],
  },
  {
    name: 'door: that a clock that was set is not believed',
    file: 'src/web/door/queue-entry.ts',
    find: 'Math.abs(made.ahead - now.ahead) > CLOCK_WAS_SET_MS',
    replace: 'Math.abs(made.ahead - now.ahead) < 0',
    tests: ['src/web/door/queue-entry.test.ts'],
  },
]

const root = join(import.meta.dirname, '../..')
const only = process.argv[2] ?? ''
const chosen = mutants.filter(({ name }) => name.includes(only))
const survivors: string[] = []

// Told at once, and not after an hour: a guard that has moved.
const moved = mutants.filter(({ file, find }) => readFileSync(join(root, file), 'utf8').split(find).length !== 2)
if (moved.length > 0) throw new Error(`These fit no longer: ${moved.map(({ name }) => name).join('; ')}`)

for (const mutant of chosen) {
  const isKilled = killed(mutant)
  process.stdout.write(`${isKilled ? 'killed  ' : 'SURVIVED'}  without ${mutant.name}\n`)
  if (!isKilled) survivors.push(mutant.name)
}
process.stdout.write(`\n${chosen.length - survivors.length} of ${chosen.length} mutants killed\n`)
process.exit(survivors.length === 0 ? 0 : 1)

/** Whether the tests turn red on a copy of the code without the guard. */
function killed({ file, find, replace, tests }: Mutant): boolean {
  const copy = mkdtempSync(join(tmpdir(), 'turnout-mutant-'))
  try {
    chmodSync(copy, 0o755)
    for (const part of ['src', 'test', 'package.json', 'vitest.config.ts', 'tsconfig.base.json', 'tsconfig.json'])
      cpSync(join(root, part), join(copy, part), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    const path = join(copy, file)
    const code = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      code.replace(find, () => replace),
    )
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const isUnit = tests.every((file) => file.startsWith('src/'))
    const projects = isUnit ? ['--project', 'unit'] : ['--project', 'api', '--project', 'alone']
    const run = spawnSync(process.execPath, [vitest, 'run', ...projects, ...tests], {
      cwd: dirname(join(copy, 'package.json')),
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    })
    const output = run.stdout + run.stderr
    // A mutant that does not even start would prove nothing.
    if (!/Tests .*\d+ (failed|passed)/.test(output)) throw new Error(`The tests did not run:\n${output.slice(-3000)}`)
    return run.status !== 0
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
