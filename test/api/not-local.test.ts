import { expect, test } from 'vitest'
import { findNotLocal, hotStatementsWithoutClub } from '../support/not-local.ts'
import { startApp } from '../support/start-app.ts'

test('what is not local to one club is written down, so that it grows only on purpose (docs/scaling.md)', async () => {
  const app = await startApp()
  try {
    const lines = [...(await findNotLocal(app.deps.db)), ...hotStatementsWithoutClub()]
    // Of the statements, the first reads the club's id, the second carries it, the third looks for it.
    const known = [
      'table installation',
      ...['find sessions', 'place registrations'].map((name) => `statement “${name}”`),
    ]
    expect(lines).toEqual(expect.arrayContaining(known))
    expect(lines).not.toContain('statement “read active events”')
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../docs/not-local.txt')
  } finally {
    await app.stop()
  }
})
