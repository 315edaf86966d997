import { formApi } from '../../contract/forms.ts'
import { visibleEvent } from '../access/visible-event.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { findQuestions } from './queries.ts'
import { saveForm } from './save-form.ts'

export function formRoutes(implement: Implement, deps: Deps): void {
  implement(formApi, {
    getFormQuestions: async ({ input, caller }) => {
      const event = await visibleEvent(deps.db, input.eventId, caller)
      return { payload: await findQuestions(deps.db, [event.id]) }
    },
    save: async ({ caller, event, input }) => ({
      payload: await saveForm(deps, caller, event, input.payload),
      msg: 'Saved.',
    }),
  })
}
