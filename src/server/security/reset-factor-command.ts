import { deleteSessionsOf, findUserByEmail } from '../auth/queries.ts'
import { openExisting } from '../backup/commands/open-database.ts'
import { chooseDataDir } from '../data-dir.ts'
import { logChange } from '../db/changes.ts'
import { connect } from '../db/connect.ts'
import { queueFactorMail } from '../mail/queries.ts'
import { lockUser } from '../records/user-queries.ts'
import { removeFactor } from '../second-factor/remove-factor.ts'
import { readSettings } from '../settings.ts'

/** `npm run reset-factor -- ADDRESS`: for an operator who has lost the second factor, which nobody else may reset. */
async function resetFactor(email: string): Promise<string> {
  const settings = readSettings(process.env)
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  const { address, close } = await openExisting({ settings, dataDir: chooseDataDir(settings, say), say })
  const db = connect(address)
  try {
    return await db.transaction().execute(async (tx) => {
      const found = await findUserByEmail(tx, email)
      const user = found && (await lockUser(tx, found.id))
      if (!user || !(await removeFactor(tx, user.id))) throw new Error('Nobody with this address has a second factor.')
      await deleteSessionsOf(tx, user.id, null)
      // Sent by the server, once it runs.
      await queueFactorMail(tx, user.id, 'second factor reset', new Date())
      const what = { subject: 'user' as const, subjectId: user.id, action: 'second factor reset' }
      await logChange(tx, new Date(), { clubId: user.clubId, userId: null, ...what })
      return 'Two-step sign-in is off for this address, and it is signed out everywhere.'
    })
  } finally {
    await db.destroy()
    await close()
  }
}

const [email, ...more] = process.argv.slice(2)
if (!email || more.length > 0) {
  process.stderr.write('Name one e-mail address: npm run reset-factor -- ADDRESS\n')
  process.exit(1)
}
try {
  process.stdout.write(`${await resetFactor(email)}\n`)
  process.exit(0)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
