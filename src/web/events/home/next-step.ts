import { type EventState, eventState, isOpenForTickets } from '../../../contract/event-state.ts'
import * as texts from '../../../texts/generated/overview.ts'
import type { Message } from '../../../texts/language.ts'
import { isAtDoor } from './is-at-door.ts'

type Facts = Parameters<typeof eventState>[0]

/** What the club most likely does next: the words, and the first of its buttons. */
export interface Step {
  heading: Message
  advice: Message
  action:
    | 'publish'
    | 'attendees'
    | 'statistics'
    | 'scanner'
    | 'copy link'
    | 'add places'
    | 'open again'
    | 'change tickets'
}

/** The next step with an event, by its state and the time. */
export function nextStep(event: Facts, now: Date): Step {
  const state = eventState(event, now)
  if (isAtDoor(event, now) && state !== 'draft' && state !== 'cancelled') return atDoor(event, now)
  const isForTickets = (state === 'sold out' || state === 'closed') && isOpenForTickets(event, now)
  return isForTickets ? { ...steps[state], action: 'change tickets' } : steps[state]
}

const atDoor = (event: Facts, now: Date): Step => ({
  heading: event.startsAt <= now ? texts.isOn : texts.beginsSoon,
  advice: texts.atDoorText,
  action: 'scanner',
})

const open: Step = {
  heading: texts.open,
  advice: texts.openText,
  action: 'copy link',
}

const steps: Readonly<Record<EventState, Step>> = {
  draft: { heading: texts.draft, advice: texts.draftText, action: 'publish' },
  cancelled: {
    heading: texts.cancelled,
    advice: texts.cancelledText,
    action: 'attendees',
  },
  over: {
    heading: texts.over,
    advice: texts.overText,
    action: 'statistics',
  },
  open,
  // Whoever is on is at the door.
  'on now': open,
  'few left': {
    heading: texts.fewLeft,
    advice: texts.fewLeftText,
    action: 'add places',
  },
  'sold out': {
    heading: texts.soldOut,
    advice: texts.soldOutText,
    action: 'add places',
  },
  'not open': {
    heading: texts.notOpen,
    advice: texts.notOpenText,
    action: 'copy link',
  },
  closed: {
    heading: texts.closed,
    advice: texts.closedText,
    action: 'open again',
  },
}
