import { formApi } from '../../contract/forms.ts'
import * as texts from '../../texts/generated/api.ts'
import { visibleEvent } from '../access/visible-event.ts'
import type { FormQuestionRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { readQuestions } from '../records/shared-reads.ts'
import { saveForm } from './save-form.ts'

const none: FormQuestionRow[] = []

export function formRoutes(implement: Implement, deps: Deps): void {
  implement(formApi, {
    getFormQuestions: async ({ input, caller }) => {
      const [questions = none] = await Promise.all([
        readQuestions(deps.db, input.eventId),
        visibleEvent(deps.db, input.eventId, caller),
      ])
      return { payload: questions }
    },
    save: async ({ caller, event, input }) => ({
      payload: await saveForm(deps, caller, event, input.payload),
      msg: texts.saved,
    }),
  })
}
