import type { AnswerCounts } from '../../contract/statistics.ts'
import * as texts from '../../texts/generated/statistics.ts'
import { LoadFailed } from '../layouts/LoadFailed.tsx'
import styles from './AnswersGiven.module.css'
import { formatCount, formatShare } from './figures.ts'
import { useAnswerCounts } from './use-statistics.ts'

/** How often each option of the form's questions was chosen. Loaded separately, so the section appears once the counts are there. */
export function AnswersGiven({ eventId }: { eventId: number }) {
  const { data, error, refetch, isFetching } = useAnswerCounts(eventId)
  if (!data && error) return <LoadFailed error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
  const asked = data?.filter(({ answered }) => answered > 0) ?? []
  if (asked.length === 0) return null
  return (
    <section aria-labelledby="answers">
      <h2 id="answers">{texts.answers()}</h2>
      <div className={styles.questions}>
        {asked.map((counts) => (
          <Question key={counts.questionId} counts={counts} />
        ))}
      </div>
    </section>
  )
}

function Question({
  counts: { questionId, question, isMultiple, answered, options, otherCount },
}: {
  counts: AnswerCounts
}) {
  return (
    <div className="card">
      <table className={styles.answers} aria-describedby={`answered-${questionId}`}>
        <caption>{question}</caption>
        <thead className={styles.head}>
          <tr>
            <th scope="col">{texts.option()}</th>
            <th scope="col">{texts.chosenBy()}</th>
            <th scope="col">{texts.answerShare()}</th>
          </tr>
        </thead>
        <tbody>
          {[...options, ...(otherCount > 0 ? [{ option: texts.otherAnswers(), count: otherCount }] : [])].map(
            ({ option, count }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: A club may offer “Other answers” itself; the order stays.
              <tr key={at}>
                <th scope="row">
                  {option}
                  <span className={styles.track} aria-hidden="true">
                    <span style={{ inlineSize: `${(100 * count) / answered}%` }} />
                  </span>
                </th>
                <td>{formatCount(count)}</td>
                <td>{formatShare(count, answered)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      <p id={`answered-${questionId}`} className="muted small">
        {isMultiple ? texts.answeredSeveral({ count: answered }) : texts.answered({ count: answered })}
      </p>
    </div>
  )
}
