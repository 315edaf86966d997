type Go = (path: string, options?: { replace?: boolean }) => void

/** How a page is left: by loading the next one, until the staff's pages say how they change without. */
let change: Go | null = null

/** The staff's pages change without loading anew. */
export function goBy(navigate: Go): void {
  change = navigate
}

/** Whether the next page is loaded anew: then it knows no more than what this browser keeps. */
export function isLoadedAnew(): boolean {
  return change === null
}

/** Opens another page of this site. */
export function goTo(path: string): void {
  if (change) change(path)
  else window.location.assign(path)
}
