import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { eventApi } from '../../contract/events.ts'
import { formApi } from '../../contract/forms.ts'
import { query } from '../api/query.ts'
import { readId } from '../read-id.ts'
import { FormBuilder } from './FormBuilder.tsx'

/** Builds an event's registration form, with a preview of it as visitors will see it. */
export function FormBuilderPage() {
  const eventId = readId(useParams().eventId)
  const event = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  const questions = useSuspenseQuery({ ...query(formApi.getFormQuestions, { eventId }), staleTime: 0 })
  // A change of the form elsewhere does not replace it while it is being built.
  const [shown, setShown] = useState({ event: event.data, questions: questions.data, round: 0 })
  const reload = async () => {
    const [latestEvent, latest] = await Promise.all([event.refetch(), questions.refetch()])
    if (latestEvent.data && latest.data)
      setShown({ event: latestEvent.data, questions: latest.data, round: shown.round + 1 })
  }
  return <FormBuilder key={shown.round} event={shown.event} latest={shown.questions} onReload={() => void reload()} />
}
