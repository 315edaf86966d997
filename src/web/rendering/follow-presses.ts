/** A finger that has moved farther than this, in px, takes its press back. */
const STEADY_PX = 20

/**
 * Completes presses during which the page changes. Hydration, for example, may show the question for the chosen ticket, so that the
 * button moves away from under the finger; the browser then clicks what is there instead. Such a click is passed on to what was pressed.
 */
export function followPresses(): void {
  let press: PointerEvent | null = null
  const complete = (click: MouseEvent) => {
    if (!press) return
    const { target, clientX, clientY } = press
    press = null
    const pressed = target instanceof Element ? target.closest<HTMLElement>('a, button, label, input') : null
    const isSteady = Math.hypot(click.clientX - clientX, click.clientY - clientY) < STEADY_PX
    if (!isSteady || !pressed?.isConnected || click.composedPath().includes(pressed)) return
    click.preventDefault()
    click.stopImmediatePropagation()
    pressed.click()
  }
  const note = (event: PointerEvent) => {
    press = event
  }
  document.addEventListener('pointerdown', note, true)
  document.addEventListener('click', complete, true)
}
