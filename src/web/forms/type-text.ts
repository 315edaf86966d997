import type { questionTypes } from '../../contract/forms.ts'
import * as texts from '../../texts/generated/questionTypes.ts'
import type { Message } from '../../texts/language.ts'

type QuestionType = (typeof questionTypes)[number]

const typeTexts: Readonly<Record<QuestionType, Message>> = {
  'Short answer': texts.shortAnswer,
  Paragraph: texts.paragraph,
  'Multiple choice': texts.multipleChoice,
  Checkboxes: texts.checkboxes,
  Dropdown: texts.dropdown,
}

/** The name of a type of question, for those who build a form. */
export const typeText = (type: QuestionType): string => typeTexts[type]()
