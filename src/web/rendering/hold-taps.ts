/** How long a submitted form waits for JavaScript, in ms, before one that works without it is sent by the browser. */
const PATIENCE_MS = 5_000

/**
 * Holds back taps on a page before its buttons work, and replays them afterwards. Links and fields work from the start. If JavaScript does
 * not load, a form that works without it (`data-native`) is sent by the browser; the others say that the page is not complete.
 */
export function holdTaps(root: HTMLElement): { release: () => void; giveUp: () => void } {
  let buttons: HTMLElement[] = []
  let sent: { form: HTMLFormElement; button: HTMLElement | null } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const holdClick = (click: MouseEvent) => {
    const button = click.target instanceof Element ? click.target.closest<HTMLElement>('button[type=button]') : null
    if (!button) return
    click.preventDefault()
    buttons.push(button)
  }
  const holdForm = (submission: SubmitEvent) => {
    // The browser itself sends such a form, whether script runs or not.
    if (!(submission.target instanceof HTMLFormElement) || submission.target.hasAttribute('data-plain')) return
    submission.preventDefault()
    sent = { form: submission.target, button: submission.submitter }
    // Shows that the tap was noticed: the button looks as it does while the form is sent.
    sent.button?.setAttribute('aria-disabled', 'true')
    clearTimeout(timer)
    timer = setTimeout(giveUp, PATIENCE_MS)
  }
  root.addEventListener('click', holdClick, true)
  root.addEventListener('submit', holdForm, true)
  const end = () => {
    const held = { buttons, sent }
    buttons = []
    sent = null
    clearTimeout(timer)
    held.sent?.button?.removeAttribute('aria-disabled')
    return held
  }
  const say = (isMissing: boolean, selector = '[data-not-loaded]') => {
    for (const words of root.querySelectorAll<HTMLElement>(selector)) words.hidden = !isMissing
  }
  function giveUp(): void {
    const form = end().sent?.form
    if (form?.hasAttribute('data-native')) form.submit()
    // A form says so only once it is sent; a page without its content says so at once.
    else say(true, form ? undefined : '[data-not-loaded]:not(form *)')
  }
  /** One by one, because React renders the outcome of a tap only after the code that made it. */
  async function replay(held: ReturnType<typeof end>): Promise<void> {
    for (const button of held.buttons) {
      button.click()
      await new Promise((resolve) => setTimeout(resolve))
    }
    held.sent?.form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
  }
  return {
    release: () => {
      root.removeEventListener('click', holdClick, true)
      root.removeEventListener('submit', holdForm, true)
      say(false)
      void replay(end())
    },
    giveUp,
  }
}
