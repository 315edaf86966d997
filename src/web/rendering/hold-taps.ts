/**
 * Holds what is tapped on a page before its buttons work, and lets it through afterwards. Links and fields work from the start; a form
 * can be sent without script, which `giveUp` does.
 */
export function holdTaps(root: HTMLElement): { release: () => void; giveUp: () => void } {
  let buttons: HTMLElement[] = []
  let sent: { form: HTMLFormElement; button: HTMLElement | null } | null = null
  const holdClick = (click: MouseEvent) => {
    const button = click.target instanceof Element ? click.target.closest<HTMLElement>('button[type=button]') : null
    if (!button || !root.contains(button)) return
    click.preventDefault()
    buttons.push(button)
  }
  const holdForm = (submission: SubmitEvent) => {
    if (!(submission.target instanceof HTMLFormElement)) return
    submission.preventDefault()
    sent = { form: submission.target, button: submission.submitter }
    // It has been noticed: the button looks as it does while the form is sent.
    sent.button?.setAttribute('aria-disabled', 'true')
  }
  root.addEventListener('click', holdClick, true)
  root.addEventListener('submit', holdForm, true)
  const end = () => {
    const held = { buttons, sent }
    buttons = []
    sent = null
    held.sent?.button?.removeAttribute('aria-disabled')
    return held
  }
  return {
    release: () => {
      root.removeEventListener('click', holdClick, true)
      root.removeEventListener('submit', holdForm, true)
      const held = end()
      for (const button of held.buttons) button.click()
      held.sent?.form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    },
    giveUp: () => end().sent?.form.submit(),
  }
}
