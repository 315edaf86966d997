import { useQuery } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import type { AttendeeRow } from '../../../contract/attendees.ts'
import type { Event } from '../../../contract/event.ts'
import { formApi } from '../../../contract/forms.ts'
import { query } from '../../api/query.ts'
import { deviceStore } from '../../storage.ts'
import { columnsFor, fits, isAboutMoney, listWidthOn, standardColumns } from './columns.ts'

/** The columns of an event's list: those there are, and those shown, which this browser remembers. */
export function useColumns(event: Event, rows: readonly AttendeeRow[]) {
  const { data: questions = [] } = useQuery(query(formApi.getFormQuestions, { eventId: event.id }))
  const key = `attendee-columns-${event.id}`
  const [chosen, setChosen] = useState(() => readChosen(deviceStore.read(key)))
  const width = useSyncExternalStore(subscribeWidth, readWidth)
  const hasPrice = event.ticketPriceTo > 0 || event.ticketPrice > 0 || rows.some(isAboutMoney)
  const hasTypes = rows.some(({ ticketType }) => ticketType !== null)
  const columns = columnsFor({
    hasTypes,
    hasPrice,
    hasVouchers: rows.some(({ extras }) => extras.length > 0),
    hasOrders: rows.some(({ peopleInOrder }) => peopleInOrder > 1),
    questions,
  })
  const ids = chosen ?? standardColumns(columns, width)
  const shown = columns.filter(({ id }) => ids.includes(id))
  function choose(next: readonly string[] | null): void {
    setChosen(next)
    if (next === null) deviceStore.remove(key)
    else deviceStore.write(key, JSON.stringify(next))
  }
  return {
    columns,
    shown,
    hasPrice,
    /** Whether the list is a table; the columns do not fit elsewhere. */
    isTable: width !== null && fits(shown, width),
    /** Whether it is the standard that is shown. */
    isStandard: chosen === null,
    toggle: (id: string) => choose(ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]),
    reset: () => choose(null),
  }
}

const readWidth = () => listWidthOn(window.innerWidth, document.documentElement.clientWidth)

function subscribeWidth(onChange: () => void): () => void {
  window.addEventListener('resize', onChange)
  return () => window.removeEventListener('resize', onChange)
}

function readChosen(text: string | null): readonly string[] | null {
  if (text === null) return null
  try {
    return z.parse(z.array(z.string()), JSON.parse(text))
  } catch {
    return null
  }
}
