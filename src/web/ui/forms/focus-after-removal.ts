/**
 * After the removal of a list's `index`-th line, focuses the button that removes the next or the last line, or else the button that
 * adds one (`data-add`), or the last button beside the list. The removing buttons have the kind in `data-remove`.
 */
export function focusAfterRemoval(list: Element | null, index: number, what: 'line' | 'question'): void {
  requestAnimationFrame(() => {
    const removing = list?.querySelectorAll<HTMLElement>(`[data-remove=${what}]`) ?? []
    const adding =
      list?.querySelector<HTMLElement>('[data-add]') ?? [...(list?.querySelectorAll('button') ?? [])].at(-1)
    const next = removing[Math.min(index, removing.length - 1)] ?? adding
    next?.focus()
  })
}
