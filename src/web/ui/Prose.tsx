/** Formatted text, in the language `lang` where that is not the page's. `html` comes from our server, which renders it from Markdown and escapes all HTML in it. */
export function Prose({ html, lang }: { html: string; lang?: string | undefined }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server's Markdown renderer escapes all HTML (contract/events.ts).
  return <div className="prose" lang={lang} dangerouslySetInnerHTML={{ __html: html }} />
}
