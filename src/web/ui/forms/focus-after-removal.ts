/**
 * After the removal of a list's `index`-th line the focus is on the button that removes the next one, or the last one, or else on the
 * button that adds one (`data-add`), or the last button beside the list. The buttons that remove say of what, in `data-remove`.
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
