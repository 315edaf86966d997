import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { practiceKinds } from '../../../contract/values/practice-codes.ts'
import * as texts from '../../../texts/generated/practice.ts'
import type { Door } from '../phone/door.ts'
import { kindTexts } from './kind-texts.ts'
import styles from './Practice.module.css'
import { readPractised } from './practised.ts'

/** In place of the search while practice is on: which practice codes this phone has scanned. */
export function PracticeList({ door }: { door: Door }) {
  const done = readPractised(door.eventId)?.kinds ?? []
  return (
    <section className="card" aria-labelledby="practice">
      <h2 id="practice">{texts.codesToScan()}</h2>
      <p className="muted">{texts.whereCodesAre()}</p>
      <ul className={styles.kinds}>
        {practiceKinds.map((kind) => (
          <li key={kind} data-done={done.includes(kind) || undefined}>
            {done.includes(kind) ? (
              <IconCircleCheckFilled size={22} role="img" aria-label={texts.scanned()} />
            ) : (
              <IconCircleDashed size={22} role="img" aria-label={texts.notScanned()} />
            )}
            <span>{kindTexts[kind].name()}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
