import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { Event } from '../../contract/event.ts'
import { eventApi } from '../../contract/events.ts'
import { type FormQuestion, formApi } from '../../contract/forms.ts'
import { type TicketType, visitorTicketTypeApi } from '../../contract/ticket-type.ts'
import { query } from '../api/query.ts'
import { readId } from '../read-id.ts'
import { Loading } from '../ui/Loading.tsx'
import { FormBuilder } from './FormBuilder.tsx'

interface Shown {
  event: Event
  questions: FormQuestion[]
  ticketTypes: TicketType[]
  round: number
}

/** Builds an event's registration form, with a preview of it as visitors will see it. */
export function FormBuilderPage() {
  const eventId = readId(useParams().eventId)
  const event = useSuspenseQuery({ ...query(eventApi.getEvent, { eventId }), staleTime: 0 })
  const questions = useSuspenseQuery({ ...query(formApi.getFormQuestions, { eventId }), staleTime: 0 })
  const ticketTypes = useSuspenseQuery({ ...query(visitorTicketTypeApi.getTicketTypes, { eventId }), staleTime: 0 })
  const [shown, setShown] = useState<Shown | null>(null)
  // What another page has read may be older than a colleague's changes. Without network it has to do.
  const isLatest = [event, questions, ticketTypes].every(
    ({ isFetchedAfterMount, isFetching }) => isFetchedAfterMount || !isFetching,
  )
  if (shown === null && isLatest)
    setShown({ event: event.data, questions: questions.data, ticketTypes: ticketTypes.data, round: 0 })
  if (shown === null) return <Loading />
  // A change of the form elsewhere does not replace it while it is being built.
  const reload = async () => {
    const [latestEvent, latest, types] = await Promise.all([
      event.refetch(),
      questions.refetch(),
      ticketTypes.refetch(),
    ])
    // After a failure the data are the old ones, and what was built stays.
    if (latestEvent.isSuccess && latest.isSuccess && types.isSuccess)
      setShown({
        ...{ event: latestEvent.data, questions: latest.data, ticketTypes: types.data },
        round: shown.round + 1,
      })
  }
  const { event: shownEvent, questions: latest, ticketTypes: types } = shown
  const read = { event: shownEvent, latest, ticketTypes: types }
  return <FormBuilder key={shown.round} {...read} onReload={() => void reload()} />
}
