import { Refusal } from '../../contract/errors.ts'
import { byNetwork, count, type Limiting, limitTries, tooMany } from './limit-tries.ts'

/** A refusal of something that does not exist, which may have been a guess: a code, or a member of the club. */
export class WrongGuess extends Refusal {}

/**
 * Does something with what a visitor has typed that others must not guess. Only wrong ones count, because a whole hall may use the same code
 * at the same moment; how many a network may try at once, right or wrong, has a limit of its own. Counted for each event, because a whole city may share an address. With no address, nothing is counted.
 */
export async function countGuesses<T>(
  deps: Limiting,
  { address, eventId }: { address: string | null; eventId: number },
  work: () => Promise<T>,
): Promise<T> {
  if (address === null || !deps.settings.limits) return work()
  await limitTries(deps, byNetwork('codes and members by network', address, String(eventId)))
  const wrong = byNetwork('wrong guesses by network', address, String(eventId))
  const before = await count(
    deps.db,
    deps.now(),
    wrong.map((each) => ({ ...each, times: 0 })),
  )
  const over = before.find(({ excess }) => excess >= 0)
  if (over) throw tooMany(over)
  try {
    return await work()
  } catch (error) {
    if (error instanceof WrongGuess) await count(deps.db, deps.now(), wrong)
    throw error
  }
}
