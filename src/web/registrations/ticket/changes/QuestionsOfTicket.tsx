import { type ReactNode, useCallback } from 'react'
import { type FormQuestion, questionsFor, visitorFormApi } from '../../../../contract/forms.ts'
import { isCompanion } from '../../../../contract/order.ts'
import * as texts from '../../../../texts/generated/ticket.ts'
import { call } from '../../../api/call.ts'
import { useRead } from '../../../api/use-read.ts'
import { questionsIn } from '../../../rendering/own-words.ts'
import { Loading } from '../../../ui/Loading.tsx'
import type { Ticket } from '../ticket.ts'

interface Props {
  ticket: Ticket
  children: (questions: readonly FormQuestion[]) => ReactNode
}

/** Reads the questions of a ticket's form before showing it; if they cannot be read, the ticket stays on the page. */
export function QuestionsOfTicket({ ticket: { event, club, ticketType, registration }, children }: Props) {
  const eventId = event.id
  const ask = useCallback(() => call(visitorFormApi.getFormQuestions, { eventId }, { isTold: true }), [eventId])
  const { data: questions, error, isReading, read } = useRead(ask)
  if (questions)
    return children(
      questionsIn(event, club, questionsFor(questions, ticketType?.id ?? null, isCompanion(registration))),
    )
  if (!error) return <Loading />
  return (
    <>
      <p role="alert">{error.message}</p>
      <button
        type="button"
        className="button quiet"
        aria-disabled={isReading}
        onClick={() => !isReading && void read()}
      >
        {texts.tryAgain()}
      </button>
    </>
  )
}
