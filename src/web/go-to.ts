type Go = (path: string, options?: { replace?: boolean }) => void

/** How a page is left: by loading the next one, until the staff's pages say how they change without. */
let go: Go = (path, { replace = false } = {}) =>
  replace ? window.location.replace(path) : window.location.assign(path)

/** The staff's pages change without loading anew. */
export function goBy(navigate: Go): void {
  go = navigate
}

/** Opens another page of this site. */
export function goTo(path: string, options: { replace?: boolean } = {}): void {
  go(path, options)
}
