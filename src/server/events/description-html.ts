import { Refusal } from '../../contract/errors.ts'
import type { Language } from '../../texts/language.ts'
import type { EventRow } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { escapeHtml } from '../escape-html.ts'
import type { ReadEvent } from '../records/shared-reads.ts'
import { hashOf } from '../tokens.ts'
import * as queries from './queries.ts'
import { renderApart } from './render-apart.ts'

interface Described extends Pick<EventRow, 'id' | 'description'> {
  /** The language that it was translated into; left out for the main one. */
  language?: Language | undefined
}
/** With the stored HTML, if it has been read already. */
type Read = Described & Partial<Pick<ReadEvent, 'html' | 'htmlOf'>>

/**
 * Makes the function that returns an event's description as HTML. It is rendered when the event is saved, and stored; where it is missing,
 * as for events of older versions, it is rendered now, once for all callers. What cannot be rendered is shown as plain text.
 */
export function makeDescriptionHtml({ db }: Pick<Deps, 'db'>): (event: Read) => Promise<string> {
  const underWay = new Map<string, Promise<string>>()
  return async (event) => {
    if (event.description === '') return ''
    const hash = hashOf(event.description)
    if (typeof event.html === 'string' && event.htmlOf === hash) return event.html
    const kept = await queries.findDescriptionHtml(db, event.id, hash)
    if (kept !== undefined) return kept
    const key = `${event.id} ${hash}`
    const started = underWay.get(key) ?? renderNow(db, event).finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }
}

/** Stores the HTML of a description that was just saved. */
export async function storeDescriptionHtml(
  db: Deps['db'],
  { id, description, language }: Described,
  html: string,
): Promise<void> {
  if (description === '') return
  await queries.storeDescriptionHtml(db, {
    eventId: id,
    language: language ?? null,
    markdown: description,
    hash: hashOf(description),
    html,
  })
}

async function renderNow(db: Deps['db'], event: Described): Promise<string> {
  const text = { markdown: event.description, owner: `event ${event.id}`, field: 'description' }
  const html = await renderApart(text).catch((error: unknown) => {
    if (error instanceof Refusal) return error.code === 'INVALID_INPUT' ? asPlainText(event.description) : null
    throw error
  })
  // Too many texts are waiting: the next reader tries again.
  if (html === null) return asPlainText(event.description)
  // If it cannot be stored, as on a full disk, it is shown anyway.
  await storeDescriptionHtml(db, event, html).catch(() => {})
  return html
}

/** Text as it was typed, in paragraphs. */
export function asPlainText(text: string): string {
  const paragraphs = text.split(/\n[ \t]*\n/).filter((paragraph) => paragraph.trim() !== '')
  return paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br />')}</p>`).join('\n')
}
