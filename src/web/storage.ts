/** Key-value storage of the browser for this site. */
export interface Store {
  read: (key: string) => string | null
  /** Returns whether the value will survive a reload. */
  write: (key: string, text: string) => boolean
  remove: (key: string) => void
}

/** Stored on this device, for all tabs. */
export const deviceStore: Store = makeStore(() => window.localStorage)
/** Stored for this tab only. */
export const tabStore: Store = makeStore(() => window.sessionStorage)

/**
 * The only access to the browser's storage. If that is blocked, full or missing, values last as long as the page, so that it
 * keeps working.
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
  // A change made by another tab is newer than a value that could not be stored here.
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
      // An older value must not be read later either.
      remove(key)
      here.set(key, text)
      return false
    },
    remove,
  }
}
