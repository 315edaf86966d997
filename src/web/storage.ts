/** What a browser keeps for this site: text under a key. */
export interface Store {
  read: (key: string) => string | null
  /** Returns whether it will still be there after the page is loaded anew. */
  write: (key: string, text: string) => boolean
  remove: (key: string) => void
}

/** Kept on this device, for all tabs. */
export const deviceStore: Store = makeStore(() => window.localStorage)
/** Kept for this tab only. */
export const tabStore: Store = makeStore(() => window.sessionStorage)

/**
 * The only way to the browser's storage. Where that is blocked, full or missing, what is written lives as long as the page:
 * the page goes on working.
 */
export function makeStore(open: () => Storage): Store {
  const here = new Map<string, string>()
  const attempt = <T>(work: (storage: Storage) => T, otherwise: T): T => {
    try {
      return work(open())
    } catch {
      return otherwise
    }
  }
  const remove = (key: string) => {
    here.delete(key)
    attempt((storage) => storage.removeItem(key), undefined)
  }
  // What another tab wrote or removed is newer than what could not be written here.
  globalThis.addEventListener?.('storage', ({ key }: StorageEvent) => (key === null ? here.clear() : here.delete(key)))
  return {
    read: (key) => here.get(key) ?? attempt((storage) => storage.getItem(key), null),
    write: (key, text) => {
      const kept = attempt((storage) => {
        storage.setItem(key, text)
        return true
      }, false)
      here.delete(key)
      if (kept) return true
      // An older value must not be read either.
      remove(key)
      here.set(key, text)
      return false
    },
    remove,
  }
}
