import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { asTypedDay, parseTypedDay } from '../../contract/values/typed-moments.ts'
import * as texts from '../../texts/generated/statistics.ts'
import { MomentField } from '../ui/forms/MomentField.tsx'
import { dayFrom, isoDay } from './chart/days.ts'
import styles from './DayCard.module.css'

interface Props {
  /** `yyyy-mm-dd` */
  day: string
  onChange: (day: string) => void
  /** Days that are often wanted, by name. */
  shortcuts: readonly { name: string; day: string }[]
}

/** Chooses a day: typed, from a calendar, or the one before or after. */
export function DayPicker({ day, onChange, shortcuts }: Props) {
  const [text, setText] = useState(asTypedDay(day))
  const [seen, setSeen] = useState(day)
  const [isWrong, setWrong] = useState(false)
  // When another day was chosen in another way, the field follows.
  if (seen !== day) {
    setSeen(day)
    if (parseTypedDay(text) !== day) setText(asTypedDay(day))
    setWrong(false)
  }
  const type = (next: string) => {
    setText(next)
    const parsed = parseTypedDay(next)
    if (parsed === null) return
    setWrong(false)
    onChange(parsed)
  }
  const move = (days: number) => onChange(isoDay(dayFrom(day) + days))
  return (
    <div className={styles.picker}>
      <MomentField
        label={texts.day()}
        isDay
        description={texts.ddMmYyyy()}
        value={text}
        onChange={type}
        onBlur={() => setWrong(parseTypedDay(text) === null)}
        error={isWrong && texts.typeADay()}
      />
      <div className={styles.moves}>
        <ActionIcon variant="default" size={44} aria-label={texts.theDayBefore()} onClick={() => move(-1)}>
          <IconChevronLeft size={20} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" size={44} aria-label={texts.theDayAfter()} onClick={() => move(1)}>
          <IconChevronRight size={20} aria-hidden />
        </ActionIcon>
        {shortcuts.map((each) => (
          <button
            type="button"
            className="link"
            key={each.name}
            aria-pressed={each.day === day}
            onClick={() => onChange(each.day)}
          >
            {each.name}
          </button>
        ))}
      </div>
    </div>
  )
}
