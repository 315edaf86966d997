import { Button } from '@mantine/core'
import { formatTime } from '../../../contract/values/dates.ts'
import * as texts from '../../../texts/generated/door.ts'
import * as exitTexts from '../../../texts/generated/exits.ts'
import { useListFocus } from '../../ui/dialogs/use-list-focus.ts'
import { notify } from '../../ui/notices/notify.ts'
import type { Door, DoorView } from '../phone/door.ts'
import { takeBack } from '../phone/queue.ts'
import type { RecentScan } from '../phone/store.ts'
import styles from './RecentScans.module.css'

const MOST_SHOWN = 10

const movedTexts = { out: exitTexts.goesOut, back: exitTexts.backIn } as const

interface Props {
  door: Door
  view: DoorView
  variant?: 'main' | 'voucher'
}

/** The latest check-ins or redemptions of this phone, each of which can be taken back. */
export function RecentScans({ door, view, variant = 'main' }: Props) {
  const { list } = view
  const focus = useListFocus<HTMLOListElement>()
  if (!list) return null
  const isVoucher = variant === 'voucher'
  const recent = view.recent.filter(({ purchase }) => (purchase !== undefined) === isVoucher)
  const undo = (scan: RecentScan) =>
    takeBack(door, scan).catch((error: unknown) =>
      notify(
        'error',
        error instanceof Error ? texts.notTakenBack({ problem: error.message }) : texts.notTakenBackRetry(),
      ),
    )
  return (
    <section className={`card ${styles.recent}`} aria-labelledby="recent">
      <h2 id="recent">
        {isVoucher ? texts.redeemedHere() : (list.event.allowsReentry ? exitTexts.movedHere : texts.letInHere)()}
      </h2>
      {recent.length === 0 && <p className="muted">{isVoucher ? texts.nothingYet() : texts.nobodyYet()}</p>}
      {recent.length > 0 && (
        <ol {...focus}>
          {recent.slice(0, MOST_SHOWN).map((scan) => (
            <li key={scan.scanId} tabIndex={-1}>
              <span className="muted">{formatTime(scan.at, list.event.timeZone)}</span>
              <strong className={scan.state === 'undone' ? styles.undone : undefined}>
                {scan.name}
                {scan.moved && <span className="muted small"> {movedTexts[scan.moved]()}</span>}
              </strong>
              {scan.state === 'undone' ? (
                <span className="badge">{texts.takenBack()}</span>
              ) : (
                <Button
                  variant="subtle"
                  size="compact-md"
                  onClick={() => void undo(scan)}
                  aria-label={texts.takeBackOne({ name: scan.name })}
                >
                  {texts.takeBack()}
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
