import type { Plugin } from 'vite'

/** The calls' summaries are for the API's documentation, which the server makes: no browser needs them. */
export const dropSummaries: Plugin = {
  name: 'drop-summaries',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('/src/contract/')
      ? code.replace(/^ {4}summary:\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`[^`]*`),$/gm, "    summary: '',")
      : null,
}
