import * as z from 'zod/mini'
import * as fieldTexts from '../../texts/generated/fields.ts'
import * as texts from '../../texts/generated/retention.ts'

/** How many days after an event personal data are deleted; 0: never. */
export const keepDays = z
  .int({ error: fieldTexts.wholeNumber })
  .check(z.refine((days) => days === 0 || (days >= 30 && days <= 3650), { error: texts.keepDaysLike }))
