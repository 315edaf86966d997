import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { DoorWay } from '../../../contract/door-money.ts'
import { formatPrice } from '../../../contract/values/money.ts'
import * as texts from '../../../texts/generated/door.ts'
import * as moneyTexts from '../../../texts/generated/doorMoney.ts'
import * as practiceTexts from '../../../texts/generated/practice.ts'
import { measure } from '../phone/measure.ts'
import { PRACTICE_ON } from '../practice/practice-verdicts.ts'
import type { Verdict } from '../rules/verdict.ts'
import { firstWords } from './first-words.ts'
import type { Shown } from './use-scan-queue.ts'
import styles from './VerdictScreen.module.css'

/** A tick, an exclamation mark, a cross, a question mark: distinct without colour. */
const icons: Readonly<Record<Verdict['kind'] | 'unpaid', string>> = {
  in: 'M20 52 42 74 82 28',
  already: 'M50 18V60M50 78v2',
  unpaid: 'M50 18V60M50 78v2',
  refused: 'M26 26 74 74M74 26 26 74',
  unsure: 'M34 36c0-22 34-22 34 0 0 14-18 14-18 28M50 80v2',
}

interface Props {
  /** The server's time. */
  now: Date
  onClear: () => void
  /** What else can be done about it. */
  children?: ReactNode
}

interface PayButtonsProps {
  /** Whom it is for; null where that is clear. */
  title: string | null
  pay: (way: DoorWay) => void
}

/** The ways to pay at the door, for one or for all of an order. */
function PayButtons({ title, pay }: PayButtonsProps) {
  const id = useId()
  return (
    <fieldset className={styles.ways} aria-labelledby={title === null ? undefined : id}>
      {title !== null && <p id={id}>{title}</p>}
      <button type="button" onClick={() => pay('cash')}>
        {moneyTexts.paidInCash()}
      </button>
      <button type="button" onClick={() => pay('terminal')}>
        {moneyTexts.paidByTerminal()}
      </button>
    </fieldset>
  )
}

/** The verdict over the whole screen, announced by screen readers as it appears. */
export function VerdictScreen({ shown, now, onClear, children }: Props & { shown: Shown | null }) {
  useEffect(() => {
    if (!shown) return
    const clear = (event: KeyboardEvent) => event.key === 'Escape' && onClear()
    document.addEventListener('keydown', clear)
    // The next frame is the first one that shows the verdict.
    const frame = requestAnimationFrame(() => measure('door:verdict', shown.readAt))
    return () => {
      document.removeEventListener('keydown', clear)
      cancelAnimationFrame(frame)
    }
  }, [shown, onClear])
  return (
    <div aria-live="assertive" aria-atomic="true">
      {shown && (
        <FilledScreen shown={shown} now={now} onClear={onClear}>
          {children}
        </FilledScreen>
      )}
    </div>
  )
}

function FilledScreen({ shown, now, onClear, children }: Props & { shown: Shown }) {
  const { verdict, confirm, pay, payAll } = shown
  const { kind, word, name, due, detail, notes } = verdict
  const first = verdict.first && firstWords(verdict.first.checkin, now, verdict.first.timeZone)
  // It can be settled, unlike the other refusals.
  const look = verdict.code === 'TICKET_UNPAID' ? 'unpaid' : kind
  const isPractice = verdict.code === PRACTICE_ON
  const confirmation = useRef<HTMLButtonElement>(null)
  // The button that confirms has the focus, so that Enter presses it; in practice the one that records nothing.
  useEffect(() => {
    if (confirm || pay) confirmation.current?.focus()
  }, [confirm, pay])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, and there is a button for it.
    // biome-ignore lint/a11y/noStaticElementInteractions: touching it anywhere only clears it sooner.
    <div
      className={styles.verdict}
      data-verdict={confirm ? 'ask' : look}
      data-others={children ? '' : undefined}
      onClick={confirm || pay || children ? undefined : onClear}
    >
      <div className={styles.words}>
        <svg viewBox="0 0 100 100" aria-hidden="true">
          <path d={confirm && !isPractice ? icons.unsure : icons[look]} />
        </svg>
        <strong>{word}</strong>
        {name && <p className={styles.name}>{name}</p>}
        {due && <p className={styles.name}>{due}</p>}
        {first && (
          <>
            <p className={styles.name}>{first.when}</p>
            <p>{first.by}</p>
          </>
        )}
        {pay ? <p>{moneyTexts.takeFirst()}</p> : detail && <p>{detail}</p>}
        {notes.length > 0 && (
          <dl>
            {notes.map(({ label, text }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
      {confirm ? (
        <div className={styles.buttons}>
          <button type="button" ref={isPractice ? null : confirmation} onClick={confirm}>
            {isPractice ? practiceTexts.endAndCheck() : texts.letIn()}
          </button>
          <button type="button" ref={isPractice ? confirmation : null} className={styles.quiet} onClick={onClear}>
            {isPractice ? practiceTexts.goOn() : texts.notNow()}
          </button>
        </div>
      ) : pay ? (
        <div className={styles.buttons}>
          {payAll && (
            <PayButtons
              title={moneyTexts.allOfOrder({
                count: payAll.people,
                amount: formatPrice(payAll.amount, payAll.currency),
              })}
              pay={payAll.pay}
            />
          )}
          <PayButtons title={payAll && due ? moneyTexts.onlyOne({ name: name ?? '', due }) : null} pay={pay} />
          {/* Has the focus: a scanner that acts as a keyboard must not say by its Enter that somebody has paid. */}
          <button type="button" ref={confirmation} className={styles.quiet} onClick={onClear}>
            {texts.notNow()}
          </button>
        </div>
      ) : (
        <div className={styles.buttons}>
          {children}
          <button type="button" className={children ? styles.quiet : undefined} onClick={onClear}>
            {texts.next()}
          </button>
        </div>
      )}
    </div>
  )
}
