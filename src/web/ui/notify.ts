import type { Refusal } from '../../contract/errors.ts'
import { tabStore } from '../storage.ts'

export type NoticeKind = 'success' | 'error' | 'info'

/** The kind that goes with an answer's status. */
function kindOf(status: number): NoticeKind {
  return status >= 400 && status < 500 ? 'error' : 'info'
}

export interface Notice {
  id: number
  kind: NoticeKind
  text: string
}

const KEPT = 'notice'
let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a notice at the bottom left. The same words twice stay one notice, and what was wrong before a success is over. */
export function notify(kind: NoticeKind, text: string): void {
  const isOver = (notice: Notice) => notice.text === text || (kind === 'success' && notice.kind === 'error')
  notices = [...notices.filter((notice) => !isOver(notice)), { id: ++lastId, kind, text }].slice(-4)
  tell()
}

/** Shows the words of a refusal, by the status of its answer. */
export function notifyRefusal({ status, message }: Refusal): void {
  notify(kindOf(status), message)
}

export function closeNotice(id: number): void {
  notices = notices.filter((notice) => notice.id !== id)
  tell()
}

export function readNotices(): readonly Notice[] {
  return notices
}

export function subscribeNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** Keeps the last notice for the page that is loaded next in this tab. */
export function keepNotice(): void {
  const last = notices.at(-1)
  if (last) tabStore.write(KEPT, `${last.kind} ${last.text}`)
}

/** Shows what the page before kept. */
export function showKept(): void {
  const [, kind, text] = /^(success|error|info) (.*)$/s.exec(tabStore.read(KEPT) ?? '') ?? []
  tabStore.remove(KEPT)
  if (text && (kind === 'success' || kind === 'error' || kind === 'info')) notify(kind, text)
}
