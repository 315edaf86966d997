/** A state with all edits that led to it, and those that were undone. */
export interface EditHistory<State> {
  readonly present: State
  /** What can be undone, the latest last. */
  readonly past: readonly Step<State>[]
  /** What can be done again, the next first. */
  readonly future: readonly Step<State>[]
  /** The text that is being typed, which further typing in the same field belongs to; null after any other edit. */
  readonly typing: { field: string; at: number } | null
}

interface Step<State> {
  /** The state on the other side of the edit. */
  state: State
  /** What the edit did, as in “Question 2 removed”. */
  name: string
}

interface Edit<State> {
  next: State
  name: string
  /** The text field that was typed in; undefined for other edits. */
  field?: string | undefined
  /** When it happened, in milliseconds. */
  at: number
}

/** A pause in typing that begins a new step. */
const PAUSE_MS = 1_000
/** Beyond this, the oldest edits can no longer be undone. */
const MOST_STEPS = 200

export function startHistory<State>(present: State): EditHistory<State> {
  return { present, past: [], future: [], typing: null }
}

/** Adds an edit. Typing in one field is one step until there is a pause, so that undoing takes back a few words, not one letter or all. */
export function record<State>(history: EditHistory<State>, { next, name, field, at }: Edit<State>): EditHistory<State> {
  const typing = field === undefined ? null : { field, at }
  const isSameText = history.typing?.field === field && at - (history.typing?.at ?? at) < PAUSE_MS
  if (typing && isSameText) return { ...history, present: next, future: [], typing }
  const past = [...history.past, { state: history.present, name }].slice(-MOST_STEPS)
  return { present: next, past, future: [], typing }
}

/** Takes the latest edit back; null if there is none. */
export function undo<State>({ present, past, future }: EditHistory<State>): EditHistory<State> | null {
  const step = past.at(-1)
  if (!step) return null
  const undone = { state: present, name: step.name }
  return { present: step.state, past: past.slice(0, -1), future: [undone, ...future], typing: null }
}

/** Does the edit undone last again; null if there is none. */
export function redo<State>({ present, past, future }: EditHistory<State>): EditHistory<State> | null {
  const [step, ...rest] = future
  if (!step) return null
  return { present: step.state, past: [...past, { state: present, name: step.name }], future: rest, typing: null }
}
