import type { Db } from '../db/schema.ts'
import { escapeHtml } from '../escape-html.ts'
import { clubUrl, eventUrl } from './event-url.ts'
import { listListed } from './queries.ts'

/** The addresses for search engines (https://www.sitemaps.org): of the clubs that let visitors find them, and their events to come. */
export async function sitemap(db: Db, baseUrl: string, now: Date): Promise<string> {
  const { clubs, events } = await listListed(db, now)
  const urls = [
    `${baseUrl}/`,
    `${baseUrl}/clubs`,
    ...clubs.map((id) => clubUrl(baseUrl, id)),
    ...events.map((event) => eventUrl(baseUrl, event)),
  ]
  const entries = urls.map((url) => `<url><loc>${escapeHtml(url)}</loc></url>`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`
}

/** What crawlers may read. Tickets are not named here: their pages say `noindex`, which only those who read them see. */
export function robots(baseUrl: string): string {
  return `User-agent: *\nDisallow: /api/\n\nSitemap: ${baseUrl}/sitemap.xml\n`
}
