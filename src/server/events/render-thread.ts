import { renderDescription } from './render-description.ts'

/** How many elements may stand within each other: browsers give up on documents of many thousand levels. */
const DEEPEST = 100

/** Renders on the worker thread; null when the text is nested too deeply. */
export function render(markdown: string): string | null {
  const html = renderDescription(markdown)
  return depthOf(html) > DEEPEST ? null : html
}

function depthOf(html: string): number {
  let depth = 0
  let deepest = 0
  // Text of the author's holds no angle brackets, and `br` and `hr` end themselves.
  for (const [tag] of html.matchAll(/<[^>]*>/g)) {
    if (tag.endsWith('/>')) continue
    depth += tag.startsWith('</') ? -1 : 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
