import type { Refusal } from '../../../contract/errors.ts'
import { createStore, useStore } from '../../api/store.ts'
import { tabStore } from '../../storage.ts'

export type NoticeKind = 'success' | 'error' | 'info'

/** The kind of notice for an answer's status. */
function kindOf(status: number): NoticeKind {
  return status >= 400 && status < 500 ? 'error' : 'info'
}

export interface Notice {
  id: number
  kind: NoticeKind
  text: string
}

const KEPT = 'notice'
const notices = createStore<readonly Notice[]>([])
let lastId = 0

/** Shows a notice at the bottom left. The same text twice stays one notice, and a success removes earlier errors. */
export function notify(kind: NoticeKind, text: string): void {
  const isOver = (notice: Notice) => notice.text === text || (kind === 'success' && notice.kind === 'error')
  notices.set([...notices.get().filter((notice) => !isOver(notice)), { id: ++lastId, kind, text }].slice(-4))
}

/** Shows a refusal's message, as the kind for its status. */
export function notifyRefusal({ status, message }: Refusal): void {
  notify(kindOf(status), message)
}

export function closeNotice(id: number): void {
  notices.set(notices.get().filter((notice) => notice.id !== id))
}

export function readNotices(): readonly Notice[] {
  return notices.get()
}

/** The notices on the screen. */
export function useNotices(): readonly Notice[] {
  return useStore(notices)
}

/** Keeps the last notice for the page that is loaded next in this tab. */
export function keepNotice(): void {
  const last = notices.get().at(-1)
  if (last) tabStore.write(KEPT, `${last.kind} ${last.text}`)
}

/** Shows the notice kept by the previous page. */
export function showKept(): void {
  const [, kind, text] = /^(success|error|info) (.*)$/s.exec(tabStore.read(KEPT) ?? '') ?? []
  tabStore.remove(KEPT)
  if (text && (kind === 'success' || kind === 'error' || kind === 'info')) notify(kind, text)
}
