import { textApi } from '../../contract/texts.ts'
import { renderApart } from '../events/render-apart.ts'
import type { Implement } from '../http/implement.ts'

export function textRoutes(implement: Implement): void {
  implement(textApi, {
    preview: async ({ caller, input }) => ({
      // A club's previews wait in a line of their own, so that they do not keep it from saving.
      payload: {
        html: await renderApart({ markdown: input.text, owner: `previews of ${caller.clubId}`, field: 'text' }),
      },
    }),
  })
}
