import * as z from 'zod/mini'
import * as texts from '../texts/generated/answers.ts'
import type { Message } from '../texts/language.ts'
import { api } from './endpoint.ts'
import type { FieldError } from './errors.ts'
import { phoneField } from './phone-field.ts'
import { id, idText, isVisible, requiredLine, typeId, version } from './values/fields.ts'

/** A question's type is its index in this list. */
export const questionTypes = ['Short answer', 'Paragraph', 'Multiple choice', 'Checkboxes', 'Dropdown'] as const
export type QuestionType = (typeof questionTypes)[number]

const askedOf = z.enum(['attendee', 'order'])

const formQuestion = z.object({
  id,
  eventId: id,
  /** 0 to 4, see `questionTypes`. */
  typeId,
  text: z.string(),
  required: z.boolean(),
  /** The options to choose from; empty for the two types of free text. */
  options: z.array(z.string()),
  position: z.int(),
  /** Whether staff at the door see the answer. */
  showAtDoor: z.boolean(),
  /** The ticket types that it is asked for; empty for all. */
  ticketTypeIds: z._default(z.array(id), []),
  /** `order`: whoever registers is asked once for all of them, and their companions are not. */
  askedOf: z._default(askedOf, 'attendee'),
  version,
})
export type FormQuestion = z.output<typeof formQuestion>

/** A question as staff write it; without an id it is a new one. */
export const questionFields = z.strictObject({
  id: z.optional(id),
  typeId,
  text: requiredLine(300, texts.enterTheQuestion),
  required: z.boolean(),
  options: z._default(z.array(requiredLine(200, texts.enterTheOption)).check(z.maxLength(100)), []),
  /** Left out, a new question is not shown at the door, and an existing one stays as it is. */
  showAtDoor: z.optional(z.boolean()),
  /** Left out, a new question is asked for every ticket type, and an existing one stays as it is. */
  ticketTypeIds: z.optional(z.array(id).check(z.maxLength(100))),
  /** Left out, a new question is asked of each person, and an existing one stays as it is. */
  askedOf: z.optional(askedOf),
  version: z.optional(version),
})
export type QuestionFields = z.output<typeof questionFields>

/** Maximum number of questions in a form. */
export const MOST_QUESTIONS = 100

/** The calls of visitors' pages, which load none of the others. */
export const visitorFormApi = api({
  getFormQuestions: {
    method: 'GET',
    path: '/api/form/getFormQuestions',
    access: { who: 'visitor' },
    refuses: ['NOT_FOUND'],
    summary: "An event's questions in their order; those of a draft only for its staff.",
    input: z.strictObject({ eventId: idText }),
    payload: z.array(formQuestion),
  },
})

export const formApi = api({
  ...visitorFormApi,
  save: {
    method: 'POST',
    path: '/api/form/save',
    access: { who: 'admin', event: 'payload.eventId', needs: 'events' },
    refuses: ['EDIT_CONFLICT'],
    summary: 'The whole form after the change, in the order given. Answers already given stay readable.',
    input: z.strictObject({
      payload: z.strictObject({
        eventId: id,
        formQuestions: z
          .array(questionFields)
          .check(z.maxLength(MOST_QUESTIONS, { error: () => texts.mostQuestions({ most: MOST_QUESTIONS }) })),
        /** Ids of questions to remove. */
        rmQIds: z._default(z.array(id).check(z.maxLength(MOST_QUESTIONS)), []),
        /** Whether the form asks for a phone number; left out, that stays as it is. */
        phoneField: z.optional(phoneField),
      }),
    }),
    payload: z.array(formQuestion),
    sentBack: { 'payload.formQuestions': formQuestion },
  },
})

/**
 * The questions that are asked for a ticket of this type. Null where the event has never had another type, undefined while none is chosen.
 * Somebody else's companion is not asked those that are for all of an order.
 */
export function questionsFor<Q extends Pick<FormQuestion, 'ticketTypeIds' | 'askedOf'>>(
  questions: readonly Q[],
  typeId: number | null | undefined,
  isCompanion = false,
): Q[] {
  return questions.filter(
    ({ ticketTypeIds: ids, askedOf }) =>
      (ids.length === 0 || typeId === null || (typeId !== undefined && ids.includes(typeId))) &&
      !(isCompanion && askedOf === 'order'),
  )
}

/** Whether an answer is chosen from options. */
export function hasOptions(typeId: number): boolean {
  return typeId >= 2
}

export function typeOf({ typeId }: Pick<FormQuestion, 'typeId'>): QuestionType {
  return questionTypes[typeId] ?? 'Short answer'
}

/** Errors of a question beyond its fields; `path` is its path in the input. */
export function validateOptions({ typeId, options }: QuestionFields, path: string): FieldError[] {
  if (!hasOptions(typeId)) return []
  if (options.length === 0) return [{ path: `${path}.options`, msg: texts.addAnOption }]
  return options.flatMap((option, index) =>
    options.indexOf(option) < index ? [{ path: `${path}.options.${index}`, msg: texts.sameOption }] : [],
  )
}

export type AnswerValue = string | string[]

/** The value of an unanswered question. */
function noAnswerTo(question: Pick<FormQuestion, 'typeId'>): AnswerValue {
  return typeOf(question) === 'Checkboxes' ? [] : ''
}

const LONGEST: Readonly<Record<QuestionType, number>> = {
  'Short answer': 300,
  Paragraph: 5000,
  'Multiple choice': 200,
  Checkboxes: 200,
  Dropdown: 200,
}

/** The error in an answer, in words for the person who answers; null when it is valid. Both client and server use it. */
export function validateAnswer(
  question: Pick<FormQuestion, 'typeId' | 'required' | 'options'>,
  value: AnswerValue,
): Message | null {
  const type = typeOf(question)
  const answers = Array.isArray(value) ? value : [value].filter(isVisible)
  if (Array.isArray(value) !== (type === 'Checkboxes')) return texts.notAnAnswer
  if (answers.length === 0) return question.required ? needed(type) : null
  if (hasOptions(question.typeId) && answers.some((answer) => !question.options.includes(answer)))
    return texts.chooseOneOf
  if (new Set(answers).size < answers.length) return texts.chooseEachOnce
  return answers.some((answer) => answer.length > LONGEST[type])
    ? () => texts.longAnswer({ most: LONGEST[type] })
    : null
}

function needed(type: QuestionType): Message {
  if (type === 'Checkboxes') return texts.chooseAtLeastOne
  return type === 'Multiple choice' || type === 'Dropdown' ? texts.chooseOne : texts.answerNeeded
}

interface Given {
  qId: number
  /** Left out: not answered. */
  answer?: AnswerValue | undefined
}

/** Errors in the answers to a form; each path starts at `others`. */
export function validateAnswers(questions: readonly FormQuestion[], others: readonly Given[]): FieldError[] {
  const unknown = others.flatMap(({ qId }, index) => {
    const isAsked = questions.some(({ id }) => id === qId)
    const isRepeated = others.findIndex((other) => other.qId === qId) < index
    if (isAsked && !isRepeated) return []
    const msg = isAsked ? texts.answeredTwice : texts.unknownQuestion
    return [{ path: `others.${index}.qId`, msg }]
  })
  const wrong = questions.flatMap((question) => {
    const index = others.findIndex(({ qId }) => qId === question.id)
    const msg = validateAnswer(question, others[index]?.answer ?? noAnswerTo(question))
    // A missing answer is reported at the index where it would be appended.
    return msg === null
      ? []
      : [{ path: `others.${index === -1 ? others.length : index}.answer`, msg: named(msg, question, index) }]
  })
  return [...unknown, ...wrong]
}

/** A question without an answer in the input can only be identified by its text. */
function named(msg: Message, { text: question }: FormQuestion, index: number): Message {
  return index === -1 ? () => texts.aboutQuestion({ question, problem: msg() }) : msg
}

/** The answers as stored: with each question's text, in the form's order, and without empty ones. */
export function keptAnswers(questions: readonly FormQuestion[], others: readonly Given[]) {
  return questions.flatMap((question) => {
    const given = others.find(({ qId }) => qId === question.id)?.answer ?? noAnswerTo(question)
    const answer = Array.isArray(given) ? given : isVisible(given) ? given.trim() : ''
    return answer.length === 0 ? [] : [{ qId: question.id, question: question.text, answer }]
  })
}
