/** The history state with which an event's overview opens right after the event was published there or elsewhere. */
export const JUST_PUBLISHED = 'just published'

/** The same at the end of the overview's address, where a public page leads to it. */
export const LIVE = '#live'
