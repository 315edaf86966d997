import { expect, test } from 'vitest'
import { asTypedDay, asTypedMoment, parseTypedDay, parseTypedMoment } from './typed-moments.ts'

test('a date and time is read in the ways in which people type it', () => {
  for (const text of [
    '21/06/2030 19:00',
    ' 21/6/2030, 19:00 ',
    '21.06.2030 19.00',
    '21-06-2030 1900',
    '21/06/2030 19h00',
    '2030-06-21T19:00',
    '2030-06-21 19:00',
  ])
    expect(parseTypedMoment(text), text).toBe('2030-06-21T19:00')
  expect(parseTypedMoment('1/2/2030 9:05')).toBe('2030-02-01T09:05')
  expect(parseTypedMoment('21/06/2030')).toBe('2030-06-21T00:00')
})

test('what is no date and time, or is not in the calendar, is not read as another one', () => {
  for (const text of [
    '',
    'soon',
    '31/02/2030 19:00',
    '21/13/2030 19:00',
    '21/06/2030 25:00',
    '21/06/2030 19:60',
    '21/06/30 19:00',
  ])
    expect(parseTypedMoment(text), text).toBeNull()
})

test('a date and time is shown as dd/mm/yyyy HH:mm, and what was typed stays', () => {
  expect(asTypedMoment('2030-06-21T19:00')).toBe('21/06/2030 19:00')
  expect(asTypedMoment('21/06/2030 19')).toBe('21/06/2030 19')
  expect(parseTypedMoment(asTypedMoment('2030-06-21T19:00'))).toBe('2030-06-21T19:00')
})

test('a day is read and shown without a time', () => {
  for (const text of ['21/06/2030', ' 21.6.2030 ', '2030-06-21', '21/06/2030 19:00'])
    expect(parseTypedDay(text), text).toBe('2030-06-21')
  for (const text of ['', '21/06', '21/06/12030', '12030-06-21', '31/02/2030', '2030-02-31'])
    expect(parseTypedDay(text), text).toBeNull()
  expect(asTypedDay('2030-06-21')).toBe('21/06/2030')
  expect(asTypedDay('21/06')).toBe('21/06')
})
