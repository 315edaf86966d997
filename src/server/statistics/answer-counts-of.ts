import { hasOptions, typeOf } from '../../contract/forms.ts'
import type { AnswerCounts } from '../../contract/statistics.ts'
import type { OwnEvent } from '../access/own-event.ts'
import type { Deps } from '../deps.ts'
import { findQuestions } from '../forms/queries.ts'
import { countAnswers } from './queries.ts'

/** How often each option of the event's questions was chosen; an option nobody chose counts 0. */
export async function answerCountsOf({ db }: Deps, event: OwnEvent): Promise<AnswerCounts[]> {
  const questions = (await findQuestions(db, [event.id])).filter(({ typeId }) => hasOptions(typeId))
  if (questions.length === 0) return []
  const ids = questions.map(({ id }) => id)
  const counted = await countAnswers(db, event, ids)
  return questions.map((question) => {
    const given = counted.filter(({ questionId }) => questionId === question.id)
    const counts = new Map(given.map(({ answer, count }) => [answer, count]))
    const others = given.filter(({ answer }) => !question.options.includes(answer))
    return {
      questionId: question.id,
      question: question.text,
      isMultiple: typeOf(question) === 'Checkboxes',
      answered: given[0]?.answered ?? 0,
      options: question.options.map((option) => ({ option, count: counts.get(option) ?? 0 })),
      // Their texts stay with the attendees: an answer given as text may be personal.
      otherCount: others.reduce((sum, { count }) => sum + count, 0),
    }
  })
}
