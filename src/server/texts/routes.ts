import { textApi } from '../../contract/texts.ts'
import { renderApart } from '../events/render-apart.ts'
import type { Implement } from '../http/implement.ts'

export function textRoutes(implement: Implement): void {
  implement(textApi, {
    preview: async ({ caller, input }) => ({
      // Each person waits in a line of their own, so that previews do not keep a club from saving.
      payload: { html: await renderApart({ markdown: input.text, owner: `user ${caller.id}`, field: 'text' }) },
    }),
  })
}
