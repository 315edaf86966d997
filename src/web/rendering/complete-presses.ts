/** A pointer that has moved farther than this, in px, takes its press back. */
const STEADY_PX = 20

/**
 * Completes presses on buttons that move before they are released. Hydration, for example, may show the question for the chosen ticket above
 * the button, so that it moves away from under the finger; the browser then clicks what is there instead, or nothing.
 */
export function completePresses(): void {
  let pressed: { button: HTMLElement; x: number; y: number; top: number } | null = null
  let isCompleted = false
  const press = ({ target, clientX: x, clientY: y }: PointerEvent) => {
    const button = target instanceof Element ? target.closest('button') : null
    pressed = button && { button, x, y, top: button.getBoundingClientRect().top }
    isCompleted = false
  }
  const complete = (up: PointerEvent) => {
    if (!pressed || up.button || Math.hypot(up.clientX - pressed.x, up.clientY - pressed.y) > STEADY_PX) return
    const { top, height } = pressed.button.getBoundingClientRect()
    // One that is hidden or removed has no height.
    if (top === pressed.top || !height) return
    isCompleted = true
    pressed.button.click()
  }
  /** Drops the browser's own click; those by script and keyboard have no detail. */
  const drop = (click: MouseEvent) => {
    if (!isCompleted || !click.detail) return
    isCompleted = false
    click.preventDefault()
    click.stopPropagation()
  }
  document.addEventListener('pointerdown', press, true)
  document.addEventListener('pointerup', complete, true)
  document.addEventListener('click', drop, true)
}
