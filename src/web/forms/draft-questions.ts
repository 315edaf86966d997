import { type FormQuestion, hasOptions, type QuestionFields } from '../../contract/forms.ts'

/** A question while it is being built. */
export interface DraftQuestion extends Pick<QuestionFields, 'typeId' | 'text' | 'required' | 'options'> {
  /** Stays the same wherever the question moves, and when it is saved. */
  key: number
  showAtDoor: boolean
  /** Empty: it is asked for every ticket. */
  ticketTypeIds: readonly number[]
  askedOf: FormQuestion['askedOf']
}

/** The stored questions by the keys of their drafts. They are not part of the drafts, because an undo must not bring an old version back. */
export type StoredIds = ReadonlyMap<number, Pick<FormQuestion, 'id' | 'version'>>

let lastKey = 0

/** Drafts of stored questions; `keys` are those under which they are on the page already. */
export function readStored(questions: readonly FormQuestion[], keys: readonly number[] = []) {
  const stored = new Map<number, Pick<FormQuestion, 'id' | 'version'>>()
  const drafts = questions.map(({ id, version, options, ...rest }, index): DraftQuestion => {
    const key = keys[index] ?? ++lastKey
    stored.set(key, { id, version })
    const { typeId, text, required, showAtDoor, ticketTypeIds, askedOf } = rest
    const lists = { options: [...options], ticketTypeIds: [...ticketTypeIds] }
    return { key, typeId, text, required, showAtDoor, askedOf, ...lists }
  })
  return { drafts, stored }
}

export function newQuestion(): DraftQuestion {
  const empty = { typeId: 0, text: '', required: false, options: [], showAtDoor: false, ticketTypeIds: [] }
  return { key: ++lastKey, ...empty, askedOf: 'attendee' }
}

/** A choice starts with two empty options; its options stay when the type changes to text and back. */
export function withType(question: DraftQuestion, typeId: number): DraftQuestion {
  const options = hasOptions(typeId) && question.options.length === 0 ? ['', ''] : question.options
  return { ...question, typeId, options }
}

/** The list with the item at `from` put at `to`. */
export function moved<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_, index) => index !== from)
  const item = items[from]
  return item === undefined ? [...items] : [...rest.slice(0, to), item, ...rest.slice(to)]
}

/** What is saved of a question. */
export function contentOf({ typeId, text, required, options, showAtDoor, ticketTypeIds, askedOf }: DraftQuestion) {
  return {
    typeId,
    text,
    required,
    options: hasOptions(typeId) ? options : [],
    showAtDoor,
    ticketTypeIds: [...ticketTypeIds],
    askedOf,
  }
}

/** The questions as the call takes them, and the ids of those that are no longer there. */
export function toSend(drafts: readonly DraftQuestion[], stored: StoredIds) {
  const keys = new Set(drafts.map(({ key }) => key))
  return {
    formQuestions: drafts.map((draft): QuestionFields => ({ ...contentOf(draft), ...stored.get(draft.key) })),
    rmQIds: [...stored].flatMap(([key, { id }]) => (keys.has(key) ? [] : [id])),
  }
}
