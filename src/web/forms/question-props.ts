import type { FieldError } from '../../contract/errors.ts'
import type { DraftQuestion } from './draft-questions.ts'

export interface QuestionProps {
  draft: DraftQuestion
  index: number
  count: number
  errors: FieldError[]
  onChange: (draft: DraftQuestion) => void
  onMove: (to: number) => void
  onRemove: () => void
}
