import * as z from 'zod/mini'
import { api } from './endpoint.ts'
import { paragraph } from './values/fields.ts'

/** Calls for formatted texts, wherever staff write them. */
export const textApi = api({
  preview: {
    method: 'POST',
    path: '/api/text/preview',
    access: { who: 'self' },
    summary: 'A text as visitors will see it, before it is saved. Changes nothing.',
    /** Markdown, as long as the longest text that can be saved. */
    input: z.strictObject({ text: paragraph(50_000) }),
    /** HTML made by the server: safe to show as it is. */
    payload: z.object({ html: z.string() }),
  },
})
