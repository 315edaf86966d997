import type { Plugin } from 'vite'

/** Those that browsers refuse something with themselves. The sentence of every other refusal comes with the server's answer. */
export const ownRefusals: readonly string[] = ['NOT_FOUND', 'INVALID_INPUT', 'INTERNAL', 'UNAVAILABLE']

/** Replaces the sentences of refusals that only the server says by the general one, so that no page loads them. */
export const dropSentences: Plugin = {
  name: 'drop-sentences',
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) => {
    if (!id.endsWith('/src/contract/errors.ts')) return null
    const entry = /^ {2}([A-Z_]+): \{\s*status: (\d+),\s*msg: texts\.\w+,?\s*\},$/gm
    const shorter = code.replace(entry, (line, name: string, status: string) =>
      ownRefusals.includes(name) ? line : `  ${name}: { status: ${status}, msg: texts.internal },`,
    )
    if (shorter === code) throw new Error('The refusals do not look as they did: dropSentences must be told.')
    return shorter
  },
}
