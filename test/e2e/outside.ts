import type { Page } from 'playwright-core'

/** What does not fit: wider than the screen, cut off by its box, or with words that spill out of their own; empty for a page that fits. */
export function outsideOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isWide = document.documentElement.scrollWidth > window.innerWidth
    const used = 'a, button, input, select, textarea, summary, h1, h2, h3'
    /** The box that the element must stay in: the screen, or an ancestor that cuts off what is wider; null in one that scrolls. */
    const boxAround = (element: Element): { left: number; right: number } | null => {
      for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
        const { overflowX } = getComputedStyle(box)
        if (overflowX === 'auto' || overflowX === 'scroll') return null
        if (overflowX === 'hidden' || overflowX === 'clip') return box.getBoundingClientRect()
      }
      return { left: 0, right: window.innerWidth }
    }
    const isOutside = (element: Element) => {
      const { left, right, width } = element.getBoundingClientRect()
      const box = boxAround(element)
      return width > 1 && box !== null && (left < box.left - 1 || right > box.right + 1)
    }
    const isSpilling = (element: Element) => {
      const { display, overflowX } = getComputedStyle(element)
      const isOwnBox = !display.startsWith('inline') || display.startsWith('inline-')
      return (
        isOwnBox && overflowX === 'visible' && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
      )
    }
    const isHidden = (element: Element) =>
      element.closest('.skip, [aria-hidden="true"]') !== null || !element.checkVisibility({ visibilityProperty: true })
    return [...document.body.querySelectorAll(isWide ? '*' : used)]
      .filter((element) => !isHidden(element) && (isOutside(element) || (element.matches(used) && isSpilling(element))))
      .map((element) => `${element.tagName} .${element.className} ${element.textContent?.slice(0, 40)}`)
      .slice(-3)
  })
}
