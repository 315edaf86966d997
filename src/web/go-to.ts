type Go = (path: string, options?: { replace?: boolean }) => void

/** How to open another page: null loads it as a new document; the staff pages set their router's navigation. */
let change: Go | null = null

/** Sets the navigation of the staff pages, which change without loading a new document. */
export function goBy(navigate: Go): void {
  change = navigate
}

/** Whether the next page is loaded as a new document and so knows only what this browser has stored. */
export function isLoadedAnew(): boolean {
  return change === null
}

/** Opens another page of this site. */
export function goTo(path: string): void {
  if (change) change(path)
  else window.location.assign(path)
}
