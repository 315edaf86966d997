/** Formatted text. `html` comes from our server, which made it of Markdown and let no HTML of anybody's through. */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server's Markdown renderer escapes all HTML (contract/events.ts).
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
}
