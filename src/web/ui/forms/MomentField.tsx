import * as texts from '../../../texts/generated/controls.ts'
import { currentLanguage } from '../../../texts/language.ts'
import { localeOf } from '../../../texts/numbers.ts'
import '@mantine/dates/styles.css'
import { ActionIcon, Popover, TextInput, type TextInputProps } from '@mantine/core'
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

/** The time of day that a day chosen in the calendar gets, if none was typed. */
const EVENING = '19:00'

/**
 * A date and time, typed as dd/mm/yyyy HH:mm whatever the browser's language, or with the day from a calendar; or a day alone. The weekday
 * below says what was understood.
 */
export function MomentField({ label, value, onChange, onSettled, isDay = false, description, ...field }: Props) {
  const [isOpen, setOpen] = useState(false)
  /** The text that was typed last, or that the field began with. */
  const known = useRef(value)
  const { parse, show, placeholder } = kinds[isDay ? 'day' : 'moment']
  const local = parse(value)
  const settle = (complete: string) => {
    const text = show(complete)
    onChange(text)
    onSettled?.(text)
  }
  const choose = (day: string | null) => {
    if (day === null) return
    settle(isDay ? day.slice(0, 10) : `${day.slice(0, 10)}T${local?.slice(11) ?? EVENING}`)
    setOpen(false)
  }
  return (
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
        <Popover opened={isOpen} onChange={setOpen} trapFocus returnFocus position="bottom-end" shadow="md">
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              size={36}
              aria-label={texts.chooseTheDay({ label })}
              onClick={() => setOpen(!isOpen)}
            >
              <IconCalendarEvent size={20} aria-hidden />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <DatePicker
              value={local?.slice(0, 10) ?? null}
              {...(local !== null && { defaultDate: local.slice(0, 10) })}
              onChange={choose}
              firstDayOfWeek={1}
              // The kit would show weekends in red, the colour of errors.
              weekendDays={[]}
            />
          </Popover.Dropdown>
        </Popover>
      }
      rightSectionWidth={44}
    />
  )
}

function weekdayOf(local: string): string {
  const day = new Date(`${local.slice(0, 10)}T00:00:00.000Z`)
  return new Intl.DateTimeFormat(localeOf(currentLanguage()), { weekday: 'long', timeZone: 'UTC' }).format(day)
}
