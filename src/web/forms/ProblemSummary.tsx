import { useEffect, useRef } from 'react'
import * as texts from '../../texts/generated/formBuilder.ts'
import type { DraftQuestion } from './draft-questions.ts'
import { fieldId, type Problem } from './problems.ts'

interface Props {
  problems: readonly Problem[]
  questions: readonly DraftQuestion[]
  /** How many tries to save have failed: each moves the focus here. */
  failures: number
  onGoTo: (problem: Problem) => void
}

/** Why the form cannot be saved: the number of fields, with a link to each. */
export function ProblemSummary({ problems, questions, failures, onGoTo }: Props) {
  const summary = useRef<HTMLDivElement>(null)
  // It is above the form, and may be far from the button that was pressed.
  useEffect(() => {
    if (failures > 0) summary.current?.focus()
  }, [failures])
  if (problems.length === 0) return null
  return (
    <div className="problem" role="alert" tabIndex={-1} ref={summary}>
      <p>
        <strong>{texts.notSaved({ count: problems.length })}</strong>
      </p>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.key} ${problem.field}`}>
            <a
              className="link"
              href={`#${fieldId(problem)}`}
              onClick={(event) => {
                // Only opens the question: a change of the address would count as leaving the page.
                event.preventDefault()
                onGoTo(problem)
              }}
            >
              {texts.problemAt({ place: placeOf(problem, questions), problem: problem.msg })}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

function placeOf({ key, field }: Problem, questions: readonly DraftQuestion[]): string {
  if (key === null) return texts.form()
  const option = /^options\.(\d+)$/.exec(field)?.[1]
  const position = questions.findIndex((question) => question.key === key) + 1
  return option === undefined
    ? texts.questionAt({ position })
    : texts.questionOption({ position, option: Number(option) + 1 })
}
