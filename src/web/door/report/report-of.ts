import type { boardApi } from '../../../contract/board.ts'
import { LONGEST_REPORTED_S, MOST_SCANS_REPORTED } from '../../../contract/board.ts'
import type { Input } from '../../../contract/endpoint.ts'
import { type Door, serverNow } from '../phone/door.ts'
import { isPractising } from '../practice/practice-mode.ts'
import { readPractised } from '../practice/practised.ts'
import { hasSound } from '../screens/feedback.ts'

export type Report = Input<typeof boardApi.reportPhone>['payload']

/** What the page knows and the door does not. */
export interface PageFacts {
  opensOffline: boolean
  camera: Report['camera']
  isShown: boolean
  battery: Pick<Report, 'battery' | 'isCharging'>
}

const LATELY_MS = 5 * 60_000

const inBounds = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value)))

/** The state of this phone for the board. */
export function reportOf(door: Door, { opensOffline, camera, isShown, battery }: PageFacts): Report {
  const { eventId, list, device, view, scanTimes } = door
  const practised = readPractised(eventId)
  const scans = (count: number) => inBounds(count, MOST_SCANS_REPORTED)
  const secondsSince = (at: number) => inBounds((Date.now() - at) / 1000, LONGEST_REPORTED_S)
  const from = performance.now() - LATELY_MS
  const lately = scanTimes.filter(({ at }) => at > from)
  return {
    eventId,
    device: { id: device.id, name: device.name },
    listAgeS: list && inBounds((serverNow(door).getTime() - list.readAt.getTime()) / 1000, LONGEST_REPORTED_S),
    worksOffline: opensOffline && view.canPersist && list !== null,
    camera,
    sound: !device.sound ? 'off' : hasSound() ? 'on' : 'blocked',
    isShown,
    queued: scans(view.queued),
    stuck: scans(view.stuck.length),
    scans: scans(scanTimes.length),
    recentScans: scans(lately.length),
    recentByScanner: scans(lately.filter(({ by }) => by === 'scanner').length),
    ...battery,
    isPractising: isPractising(door),
    practised: [...(practised?.kinds ?? [])],
    practisedAgoS: practised && secondsSince(practised.at),
  }
}

/** The part of a report that is sent as soon as it changes. The numbers that each scan changes wait for the next one. */
export function urgentPart(report: Report): string {
  const { worksOffline, camera, sound, isShown, isCharging, isPractising: isPractice, practised, device } = report
  const { listAgeS, queued, stuck, recentByScanner = 0 } = report
  const facts = { worksOffline, camera, sound, isShown, isCharging, isPractice, practised, device }
  const [hasList, isSending, isStuck] = [listAgeS !== null, queued > 0, stuck > 0]
  return JSON.stringify({ ...facts, hasList, isSending, isStuck, hasScanner: recentByScanner > 0 })
}
