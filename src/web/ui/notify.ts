export type NoticeKind = 'success' | 'error' | 'info'

export interface Notice {
  id: number
  kind: NoticeKind
  text: string
}

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a notice at the bottom left. The same words twice stay one notice. */
export function notify(kind: NoticeKind, text: string): void {
  notices = [...notices.filter((notice) => notice.text !== text), { id: ++lastId, kind, text }].slice(-4)
  tell()
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
