/** Formatted text. `html` comes from our server, which renders it from Markdown and escapes all HTML in it. */
export function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server's Markdown renderer escapes all HTML (contract/events.ts).
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
}
