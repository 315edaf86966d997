import { IconAlertTriangle, IconCircleCheck, IconSchool, IconWifiOff } from '@tabler/icons-react'
import type { BoardPhone } from '../../contract/board.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import { practiceKinds } from '../../contract/values/practice-codes.ts'
import * as texts from '../../texts/generated/board.ts'
import { currentLanguage } from '../../texts/language.ts'
import { localeOf } from '../../texts/numbers.ts'
import { kindTexts } from '../door/practice/kind-texts.ts'
import styles from './Board.module.css'
import { durationText } from './duration-text.ts'
import type { PhoneState } from './phone-state.ts'
import { rateText } from './rate-text.ts'

const icons = {
  ready: IconCircleCheck,
  'not-ready': IconAlertTriangle,
  offline: IconWifiOff,
  practice: IconSchool,
} as const

/** A list is up to date when it is not older than this, in seconds. */
const FRESH_S = 60
/** The time over which a phone counts its latest scans, in minutes. */
const LATELY_MINUTES = 5

interface Props {
  phone: BoardPhone
  state: PhoneState
  now: Date
  timeZone: string
}

/** A phone at the door: its state and what to do, then what it last told about itself. */
export function PhoneRow({ phone, state, now, timeZone }: Props) {
  const Icon = icons[state.look]
  const { helper, isPass, name, browser, system } = phone
  return (
    <li className={styles.phone} data-look={state.look}>
      <div className={styles.who}>
        <p className={styles.helper}>
          <strong>{helper}</strong> <span className="badge">{isPass ? texts.pass() : texts.team()}</span>
        </p>
        <p className="muted small">{browser && system ? texts.onDevice({ name, browser, system }) : name}</p>
        <p className={styles.state}>
          <Icon size={20} aria-hidden />
          <span>{state.headline}</span>
        </p>
        {state.advice && <p className="small">{state.advice}</p>}
      </div>
      <div>
        <dl className={styles.facts}>
          {factsOf(phone, now).map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p className="muted small">{rehearsalOf(phone, timeZone)}</p>
      </div>
    </li>
  )
}

const soundTexts = { on: texts.on, off: texts.off, blocked: texts.waiting } as const
const cameraTexts = { seen: texts.yes, failed: texts.no, starting: texts.waiting } as const

function factsOf(phone: BoardPhone, now: Date): [string, string][] {
  const { listAgeS, battery, isCharging, scans, recentScans, reportedAt } = phone
  const silentS = (now.getTime() - reportedAt.getTime()) / 1000
  const ageS = listAgeS === null ? null : listAgeS + silentS
  const list =
    ageS === null ? texts.none() : ageS < FRESH_S ? texts.upToDate() : texts.ageOf({ time: durationText(ageS) })
  return [
    [texts.factList(), list],
    [texts.factOffline(), phone.worksOffline ? texts.yes() : texts.no()],
    [texts.factCamera(), cameraTexts[phone.camera]()],
    [texts.factSound(), soundTexts[phone.sound]()],
    [texts.factQueue(), String(phone.queued)],
    [texts.factScans(), texts.scansAndRate({ count: scans, rate: rateText(recentScans / LATELY_MINUTES) })],
    ...(battery === null ? [] : [batteryOf(battery, isCharging)]),
    [texts.factContact(), silentS < FRESH_S ? texts.justNow() : texts.ago({ time: durationText(silentS) })],
  ]
}

function batteryOf(battery: number, isCharging: boolean): [string, string] {
  const percent = new Intl.NumberFormat(localeOf(currentLanguage()), { style: 'percent' }).format(battery / 100)
  return [texts.factBattery(), isCharging ? texts.charging({ percent }) : percent]
}

function rehearsalOf({ helper, practised, practisedAt }: BoardPhone, timeZone: string): string {
  if (practisedAt === null) return texts.notPractised()
  const [date, time] = [formatDate(practisedAt, timeZone), formatTime(practisedAt, timeZone)]
  const done = { done: practised.length, all: practiceKinds.length, helper, date, time }
  const missing = practiceKinds.filter((kind) => !practised.includes(kind)).map((kind) => kindTexts[kind].name())
  const sentence = texts.practised(done)
  return missing.length === 0 ? sentence : `${sentence}. ${texts.missing({ codes: missing.join(', ') })}`
}
