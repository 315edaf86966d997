import { micromark } from 'micromark'

// HTML in the text is shown as text; images would come from other hosts.
const extensions = [{ disable: { null: ['htmlFlow', 'htmlText', 'labelStartImage'] } }]

/** A description's Markdown as HTML that is safe to show: no HTML of the author's, and links of http, https and mailto alone. */
export function renderDescription(markdown: string): string {
  // All of the author's angle brackets are escaped, so every `<a ` is one that was just written.
  return micromark(markdown, { extensions }).replaceAll('<a ', '<a rel="noopener noreferrer nofollow" target="_blank" ')
}
