import { IconSchool } from '@tabler/icons-react'
import { useEffect } from 'react'
import * as texts from '../../../texts/generated/practice.ts'
import type { Door } from '../phone/door.ts'
import styles from './Practice.module.css'
import { endPractice, isPractising } from './practice-mode.ts'

const LOOK_MS = 5_000

/** Says that practice is on, and ends it: by a tap, or when its time is over. */
export function PracticeBanner({ door }: { door: Door }) {
  useEffect(() => {
    const look = () => {
      if (!isPractising(door)) endPractice(door)
    }
    const timer = setInterval(look, LOOK_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [door])
  return (
    <div className={styles.banner} role="status">
      <IconSchool size={28} aria-hidden />
      <p>
        <strong>{texts.practiceOn()}</strong> <span>{texts.nothingCounts()}</span>
      </p>
      <button type="button" className="button" onClick={() => endPractice(door)}>
        {texts.endPractice()}
      </button>
    </div>
  )
}
