import * as texts from '../../../texts/generated/controls.ts'
import { currentLanguage } from '../../../texts/language.ts'
import { localeOf } from '../../../texts/numbers.ts'
import '@mantine/dates/styles.css'
// The calendar's names of months and days; English is built in.
import 'dayjs/locale/de'
import 'dayjs/locale/es'
import 'dayjs/locale/fr'
import 'dayjs/locale/it'
import { ActionIcon, Button, Group, NativeSelect, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { IconCalendarEvent } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { asTypedDay, asTypedMoment, parseTypedDay, parseTypedMoment } from '../../../contract/values/typed-moments.ts'

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'rightSection'> {
  label: string
  /** The text as typed. */
  value: string
  onChange: (text: string) => void
  /** Called when a date and time is complete: the field was left, or a day chosen. */
  onSettled?: (text: string) => void
  /** Whether it is a day alone, without a time. */
  isDay?: boolean
}

/** How each kind is read, shown and hinted at. */
const kinds = {
  moment: { parse: parseTypedMoment, show: asTypedMoment, placeholder: texts.momentPlaceholder },
  day: { parse: parseTypedDay, show: asTypedDay, placeholder: texts.dayPlaceholder },
}

/** The time of day that a day chosen in the calendar gets, if none was typed or chosen. */
const EVENING = '19:00'

/**
 * A date and time, typed as dd/mm/yyyy HH:mm whatever the browser's language, or chosen from a calendar and two lists; or a day alone. The
 * weekday below says what was understood.
 */
export function MomentField({ label, value, onChange, onSettled, isDay = false, description, ...field }: Props) {
  const [isOpen, setOpen] = useState(false)
  /** The time for a day that is not chosen yet. */
  const [nextTime, setNextTime] = useState(EVENING)
  /** The text that was typed last, or that the field began with. */
  const known = useRef(value)
  const { parse, show, placeholder } = kinds[isDay ? 'day' : 'moment']
  const local = parse(value)
  const settle = (complete: string) => {
    const text = show(complete)
    onChange(text)
    onSettled?.(text)
  }
  const time = local?.slice(11, 16) ?? nextTime
  const choose = (day: string | null) => {
    if (day === null) return
    settle(isDay ? day.slice(0, 10) : `${day.slice(0, 10)}T${time}`)
    if (isDay) setOpen(false)
  }
  const chooseTime = (chosen: string) => {
    setNextTime(chosen)
    if (local !== null) settle(`${local.slice(0, 10)}T${chosen}`)
  }
  const name = isDay ? texts.chooseTheDay({ label }) : texts.chooseTheMoment({ label })
  const input = (
    <TextInput
      {...field}
      label={label}
      placeholder={placeholder()}
      autoComplete="off"
      value={value}
      onChange={({ currentTarget }) => {
        known.current = currentTarget.value
        onChange(currentTarget.value)
      }}
      // Whoever types needs no calendar, which would show another month.
      onMouseDown={() => setOpen(false)}
      onClick={({ currentTarget }) => {
        // Filled in by the form as the field was pressed: what is typed replaces it.
        if (value !== known.current) currentTarget.select()
        known.current = value
      }}
      onBlur={(event) => {
        if (local !== null) settle(local)
        field.onBlur?.(event)
      }}
      description={local === null ? description : weekdayOf(local)}
      rightSection={
        <ActionIcon
          variant="subtle"
          size={36}
          aria-label={name}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconCalendarEvent size={20} aria-hidden />
        </ActionIcon>
      }
      rightSectionWidth={44}
    />
  )
  return (
    // Begins where the field does. The roles are the button's, so the field gets none.
    <Popover
      opened={isOpen}
      onChange={setOpen}
      trapFocus
      returnFocus
      withRoles={false}
      // On a low screen the time is reached when the field is scrolled out of view.
      hideDetached={false}
      position="bottom-start"
      shadow="md"
    >
      <Popover.Target>
        <div>{input}</div>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={name}>
        <DatePicker
          value={local?.slice(0, 10) ?? null}
          {...(local !== null && { defaultDate: local.slice(0, 10) })}
          onChange={choose}
          locale={currentLanguage()}
          firstDayOfWeek={1}
          highlightToday
          // Otherwise the chosen day would be told by its colour alone.
          getDayProps={(day) => ({ 'aria-pressed': day === local?.slice(0, 10) })}
          // The kit would show weekends in red, the colour of errors.
          weekendDays={[]}
          // The kit shows them too faint to be read.
          hideOutsideDates
          maxLevel="year"
          classNames={{ calendarHeader: 'calendar-head', day: 'calendar-day' }}
          ariaLabels={{
            previousMonth: texts.previousMonth(),
            nextMonth: texts.nextMonth(),
            previousYear: texts.previousYear(),
            nextYear: texts.nextYear(),
          }}
        />
        {!isDay && <TimeOfDay time={time} onChange={chooseTime} onDone={() => setOpen(false)} />}
      </Popover.Dropdown>
    </Popover>
  )
}

const HOURS = Array.from({ length: 24 }, (_, hour) => twoDigits(hour))
const MINUTES = Array.from({ length: 12 }, (_, step) => twoDigits(step * 5))

interface TimeProps {
  /** `HH:mm` */
  time: string
  onChange: (time: string) => void
  onDone: () => void
}

/** The hour and the minute, below the calendar. A typed minute is one of the choices too. */
function TimeOfDay({ time, onChange, onDone }: TimeProps) {
  const [hour = '', minute = ''] = time.split(':')
  const minutes = MINUTES.includes(minute) ? MINUTES : [...MINUTES, minute].sort()
  return (
    // As wide as the calendar; what does not fit goes below.
    <Group mt="sm" gap="0.4rem" w={0} miw="100%">
      <NativeSelect
        aria-label={texts.hour()}
        data={HOURS}
        value={hour}
        onChange={({ target }) => onChange(`${target.value}:${minute}`)}
      />
      <span aria-hidden>:</span>
      <NativeSelect
        aria-label={texts.minute()}
        data={minutes}
        value={minute}
        onChange={({ target }) => onChange(`${hour}:${target.value}`)}
      />
      <Button ml="auto" onClick={onDone}>
        {texts.done()}
      </Button>
    </Group>
  )
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

function weekdayOf(local: string): string {
  const day = new Date(`${local.slice(0, 10)}T00:00:00.000Z`)
  return new Intl.DateTimeFormat(localeOf(currentLanguage()), { weekday: 'long', timeZone: 'UTC' }).format(day)
}
