/** The history state with which an event's overview opens right after the event was published there or elsewhere. */
export const JUST_PUBLISHED = 'just published'
