import { type EventState, eventState } from '../../../contract/event-state.ts'
import { isAtDoor } from './is-at-door.ts'

type Facts = Parameters<typeof eventState>[0]

/** What the club most likely does next: the words, and the first of its buttons. */
export interface Step {
  heading: string
  advice: string
  action: 'publish' | 'attendees' | 'statistics' | 'scanner' | 'copy link' | 'add places' | 'open again'
}

/** The next step with an event, by its state and the time. */
export function nextStep(event: Facts, now: Date): Step {
  const state = eventState(event, now)
  return isAtDoor(event, now) && state !== 'draft' && state !== 'cancelled' ? atDoor(event, now) : steps[state]
}

const atDoor = (event: Facts, now: Date): Step => ({
  heading: event.startsAt <= now ? 'The event is on' : 'The event begins soon',
  advice: 'Open the scanner on each phone at the door while there is network. It then works offline.',
  action: 'scanner',
})

const open: Step = {
  heading: 'Registration is open',
  advice: 'Share its link, and look at the attendees as they come in.',
  action: 'copy link',
}

const steps: Readonly<Record<EventState, Step>> = {
  draft: { heading: 'Publish it when it is ready', advice: 'Only your club sees it so far.', action: 'publish' },
  cancelled: {
    heading: 'This event is cancelled',
    advice: 'Everybody who was registered was told by mail. Anything paid by card goes back.',
    action: 'attendees',
  },
  over: {
    heading: 'The event is over',
    advice: 'See how many came, when they arrived, and what was sold.',
    action: 'statistics',
  },
  open,
  // Whoever is on is at the door.
  'on now': open,
  'few left': {
    heading: 'Only a few places are left',
    advice: 'There is still room for a few. With more places, more people can come.',
    action: 'add places',
  },
  'sold out': {
    heading: 'It is sold out',
    advice: 'Places that are given back are open to others at once. With more places, more people can come.',
    action: 'add places',
  },
  'not open': {
    heading: 'Registration is not open yet',
    advice: 'Share its link already: visitors see when registration opens, and can note it in their calendar.',
    action: 'copy link',
  },
  closed: {
    heading: 'Registration is closed',
    advice: 'Nobody can register any more. The door lets in everybody who has a ticket.',
    action: 'open again',
  },
}
