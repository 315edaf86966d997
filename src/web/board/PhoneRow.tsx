import { IconAlertTriangle, IconCircleCheck, IconDoorExit, IconSchool, IconWifiOff } from '@tabler/icons-react'
import type { BoardPhone } from '../../contract/board.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import { practiceKinds } from '../../contract/values/practice-codes.ts'
import * as texts from '../../texts/generated/board.ts'
import { currentLanguage } from '../../texts/language.ts'
import { localeOf } from '../../texts/numbers.ts'
import { kindTexts } from '../door/practice/kind-texts.ts'
import styles from './Board.module.css'
import { durationText } from './duration-text.ts'
import { isBatteryLow, type PhoneState } from './phone-state.ts'
import { rateText } from './rate-text.ts'

const icons = {
  ready: IconCircleCheck,
  'not-ready': IconAlertTriangle,
  offline: IconWifiOff,
  practice: IconSchool,
  closed: IconDoorExit,
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

/** A phone at the door: its state and what to do, then what is not all right; the rest of what it last told is folded. */
export function PhoneRow({ phone, state, now, timeZone }: Props) {
  const Icon = icons[state.look]
  const { helper, isPass, name, browser, system } = phone
  const facts = factsOf(phone, now)
  const isRehearsed = phone.practised.length === practiceKinds.length
  const rehearsal = <p className="muted small">{rehearsalOf(phone, timeZone)}</p>
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
        {/* What was wrong on a phone whose scanner is closed no longer matters. */}
        {state.look !== 'closed' && <Facts facts={facts.filter(({ isFine }) => !isFine)} />}
        {!isRehearsed && state.look !== 'closed' && rehearsal}
        <details className={styles.more}>
          <summary className="folds">{texts.moreAbout()}</summary>
          <Facts facts={state.look === 'closed' ? facts : facts.filter(({ isFine }) => isFine)} />
          {(isRehearsed || state.look === 'closed') && rehearsal}
        </details>
      </div>
    </li>
  )
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  if (facts.length === 0) return null
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface Fact {
  label: string
  value: string
  /** Whether nobody needs to know it. */
  isFine: boolean
}

const soundTexts = { on: texts.on, off: texts.off, blocked: texts.waiting } as const
const cameraTexts = { seen: texts.yes, failed: texts.no, starting: texts.waiting } as const

function factsOf(phone: BoardPhone, now: Date): Fact[] {
  const { listAgeS, battery, scans, recentScans, recentByScanner, reportedAt } = phone
  const silentS = (now.getTime() - reportedAt.getTime()) / 1000
  const ageS = listAgeS === null ? null : listAgeS + silentS
  const list =
    ageS === null ? texts.none() : ageS < FRESH_S ? texts.upToDate() : texts.ageOf({ time: durationText(ageS) })
  return [
    { label: texts.factList(), value: list, isFine: ageS !== null && ageS < FRESH_S },
    {
      label: texts.factOffline(),
      value: phone.worksOffline ? texts.yes() : texts.no(),
      isFine: phone.worksOffline,
    },
    {
      label: texts.factCamera(),
      value: cameraTexts[phone.camera](),
      isFine: phone.camera === 'seen' || recentByScanner > 0,
    },
    { label: texts.factSound(), value: soundTexts[phone.sound](), isFine: phone.sound !== 'blocked' },
    { label: texts.factQueue(), value: String(phone.queued), isFine: phone.queued === 0 },
    {
      label: texts.factScans(),
      value: texts.scansAndRate({ count: scans, rate: rateText(recentScans / LATELY_MINUTES) }),
      isFine: true,
    },
    ...(battery === null
      ? []
      : [{ label: texts.factBattery(), value: batteryOf(battery, phone.isCharging), isFine: !isBatteryLow(phone) }]),
    {
      label: texts.factContact(),
      value: silentS < FRESH_S ? texts.justNow() : texts.ago({ time: durationText(silentS) }),
      isFine: silentS < FRESH_S,
    },
  ]
}

function batteryOf(battery: number, isCharging: boolean): string {
  const percent = new Intl.NumberFormat(localeOf(currentLanguage()), { style: 'percent' }).format(battery / 100)
  return isCharging ? texts.charging({ percent }) : percent
}

function rehearsalOf({ helper, practised, practisedAt }: BoardPhone, timeZone: string): string {
  if (practisedAt === null) return texts.notPractised()
  const [date, time] = [formatDate(practisedAt, timeZone), formatTime(practisedAt, timeZone)]
  const done = { done: practised.length, all: practiceKinds.length, helper, date, time }
  const missing = practiceKinds.filter((kind) => !practised.includes(kind)).map((kind) => kindTexts[kind].name())
  const sentence = texts.practised(done)
  return missing.length === 0 ? sentence : `${sentence}. ${texts.missing({ codes: missing.join(', ') })}`
}
