import type { QueuedScan, ScanAnswer } from '../../../contract/door.ts'
import { isDecided, type Refusal } from '../../../contract/errors.ts'
import { type Door, emit } from './door.ts'
import { pause, within } from './pause.ts'
import { isDecidedAnswer, postScans } from './send-queue.ts'
import { handleFailure } from './sync.ts'

/** The longest wait for the server, in ms, even when the phone cannot decide by itself. */
export const LONGEST_WAIT_MS = 20_000
const BETWEEN_TRIES_MS = 1_000

/**
 * Asks the server to decide one scan: a code, a check-in by hand, a voucher, or an undo. Null without an answer: then it is unknown
 * whether the server has recorded it, and the same `scanId` has to be sent again.
 */
export async function askServer(door: Door, act: QueuedScan['act'], scanId: string): Promise<ScanAnswer | null> {
  const began = performance.now()
  try {
    const [answer] = (await postScans(door, [{ scanId, act, agoMs: 0, wasShownIn: false }])).answers
    return answer && isDecidedAnswer(answer) ? answer : null
  } catch (error) {
    if (isDecided(error) && isAboutScan(error)) return { ...nothing, scanId, code: error.code, msg: error.message }
    await handleFailure(door, error, began)
    emit(door)
    return null
  }
}

/** Whether a refusal of the whole call is about the scan in it, and not about the event or this phone. */
function isAboutScan({ status, fields }: Refusal): boolean {
  return [413, 422].includes(status) && fields.every(({ path }) => path.startsWith('payload.scans'))
}

const nothing = { registrationId: null, name: null, checkin: null, extrasPurchase: null }

/** Repeats an unanswered request (`asked`) until the server answers, for at most the time that somebody may wait at the door. */
export async function askUntilAnswered(
  door: Door,
  act: QueuedScan['act'],
  scanId: string,
  asked: Promise<ScanAnswer | null>,
): Promise<ScanAnswer | null> {
  const deadline = performance.now() + LONGEST_WAIT_MS
  let answer = await within(LONGEST_WAIT_MS, asked)
  while (answer === null && performance.now() < deadline && !door.isGone) {
    await pause(BETWEEN_TRIES_MS)
    answer = await within(deadline - performance.now(), askServer(door, act, scanId))
  }
  return answer
}
