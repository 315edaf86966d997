/** A button's `ref` that focuses it once, when it appears: a new function at each render would take the focus again each time. */
export const takeFocus = (button: HTMLElement | null) => button?.focus()
