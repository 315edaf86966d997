import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Board } from '../../contract/board.ts'
import type { WalkInQuota } from '../../contract/walk-ins.ts'
import * as texts from '../../texts/generated/board.ts'
import styles from './Board.module.css'
import { WalkInPlacesDialog } from './WalkInPlacesDialog.tsx'

interface Props {
  eventId: number
  board: Board
}

/** The places that phones keep for people without a ticket, each to be changed. Nothing where the event has no limit. */
export function WalkInPlaces({ eventId, board: { walkIns, phones } }: Props) {
  const [changed, change] = useState<WalkInQuota | null>(null)
  if (walkIns === null) return null
  const quotas = quotasOf(walkIns.quotas, phones)
  return (
    <section className="card" aria-labelledby="walk-ins">
      <h2 id="walk-ins" className={styles.heading}>
        {texts.walkIns()}
      </h2>
      <p className="muted">
        {texts.walkInsText()} {walkIns.free !== null && texts.walkInsFree({ count: walkIns.free })}
      </p>
      {quotas.length === 0 ? (
        <p className="muted">{texts.walkInsNoPhones()}</p>
      ) : (
        <ul className={styles.quotas}>
          {quotas.map((quota) => (
            <li key={quota.phoneId}>
              <div>
                <strong>{quota.phoneName}</strong>
                <p className="muted small">{stateOf(quota)}</p>
              </div>
              <Button
                variant="default"
                aria-label={texts.changePlacesOf({ phone: quota.phoneName })}
                onClick={() => change(quota)}
              >
                {texts.changePlaces()}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {changed && (
        <WalkInPlacesDialog eventId={eventId} quota={changed} free={walkIns.free} onClose={() => change(null)} />
      )}
    </section>
  )
}

/** Those that keep places, also when they report no more, and the other phones that can be given some, by their names. */
function quotasOf(quotas: readonly WalkInQuota[], phones: Board['phones']): WalkInQuota[] {
  const others = phones.filter(({ id, mayAdd }) => mayAdd && !quotas.some(({ phoneId }) => phoneId === id))
  const none = { granted: 0, used: 0, wanted: 0 }
  return [...quotas, ...others.map(({ id, name }) => ({ phoneId: id, phoneName: name, ...none }))]
    .map((quota) => {
      const helper = phones.find(({ id }) => id === quota.phoneId)?.helper
      return helper ? { ...quota, phoneName: `${helper} · ${quota.phoneName}` } : quota
    })
    .sort((a, b) => a.phoneName.localeCompare(b.phoneName))
}

function stateOf({ granted, used, wanted }: WalkInQuota): string {
  const back = granted - Math.max(wanted, used)
  return [
    texts.keeps({ count: Math.max(0, wanted - used) }),
    ...(used > 0 ? [texts.usedOf({ count: used })] : []),
    ...(back > 0 ? [texts.givesBack({ count: back })] : []),
  ].join(' · ')
}
