import { type BoardPhone, SILENT_AFTER_MS } from '../../contract/board.ts'
import * as texts from '../../texts/generated/board.ts'
import { durationText } from './duration-text.ts'

/** A phone's state in a few words, and what to do about it. */
export interface PhoneState {
  look: 'ready' | 'not-ready' | 'offline' | 'practice' | 'closed'
  headline: string
  /** Empty where nothing needs to be done. */
  advice: string
}

/** A list that is older than this, in seconds, is not kept up to date. */
const OLD_LIST_S = 5 * 60
/** A battery below this, in percent, does not last the night. */
const LOW_BATTERY = 20

/** The state of a phone at this time of the server. The first reason that somebody can do something about counts. */
export function stateOf(phone: BoardPhone, now: Date): PhoneState {
  const silentMs = now.getTime() - phone.reportedAt.getTime()
  if (silentMs >= SILENT_AFTER_MS) {
    const time = durationText(silentMs / 1000)
    // It last reported that the scanner was closed or in the background.
    return phone.isShown
      ? { look: 'offline', headline: texts.offlineFor({ time }), advice: texts.adviseOffline() }
      : { look: 'closed', headline: texts.closedFor({ time }), advice: texts.adviseClosed() }
  }
  // While practice is on nobody is let in, whatever else is wrong.
  if (phone.isPractising) return { look: 'practice', headline: texts.practising(), advice: texts.advisePractice() }
  const reason = reasonOf(phone)
  if (reason) return { look: 'not-ready', headline: texts.notReady({ reason: reason[0] }), advice: reason[1] }
  return { look: 'ready', headline: texts.ready(), advice: isBatteryLow(phone) ? texts.adviseBattery() : '' }
}

/** Whether the battery does not last the night. */
export const isBatteryLow = ({ battery, isCharging }: Pick<BoardPhone, 'battery' | 'isCharging'>): boolean =>
  battery !== null && battery < LOW_BATTERY && !isCharging

/** Why a phone in contact is not ready, and what to do about it; null when it is. */
function reasonOf(phone: BoardPhone): [string, string] | null {
  const { listAgeS, stuck, recentByScanner, camera } = phone
  if (!phone.isShown) return [texts.hidden(), texts.adviseHidden()]
  if (listAgeS === null) return [texts.noList(), texts.adviseList()]
  if (listAgeS > OLD_LIST_S) return [texts.oldList({ time: durationText(listAgeS) }), texts.adviseList()]
  if (stuck > 0) return [texts.stuck({ count: stuck }), texts.adviseStuck()]
  // Only scans of a keyboard scanner show that one is in use: codes may have been seen before the camera failed, or typed.
  if (camera === 'failed' && recentByScanner === 0) return [texts.cameraOff(), texts.adviseCamera()]
  if (camera === 'starting' && recentByScanner === 0) return [texts.cameraStarting(), texts.adviseCamera()]
  if (!phone.worksOffline) return [texts.noOffline(), texts.adviseStored()]
  return phone.sound === 'blocked' ? [texts.noSound(), texts.adviseSound()] : null
}

/** Phones in the order in which somebody has to see to them: problems first, closed scanners last. */
const ORDER: readonly PhoneState['look'][] = ['offline', 'not-ready', 'practice', 'ready', 'closed']

/** Compares two states for that order. */
export const byUrgency = (a: PhoneState, b: PhoneState): number => ORDER.indexOf(a.look) - ORDER.indexOf(b.look)
