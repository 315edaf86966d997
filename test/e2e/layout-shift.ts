import type { BrowserContext, Page } from 'playwright-core'

/** Records what moves on the pages of a context, and slows calls and fonts down, so that each step of loading is seen. */
export async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const moved: string[] = []
    const seen = { score: 0, moved }
    Object.assign(window, { layoutShift: seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!('value' in entry) || typeof entry.value !== 'number') continue
        seen.score += entry.value
        if (!('sources' in entry) || !Array.isArray(entry.sources)) continue
        for (const { node, previousRect: from, currentRect: to } of entry.sources)
          if (node instanceof Element)
            moved.push(`${entry.value.toFixed(3)} from ${from.y} to ${to.y}: ${node.outerHTML.slice(0, 60)}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await context.route(/\/api\/|\.woff2$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue().catch(() => {})
  })
}

/** How much has moved on a page so far, as Chromium's layout shift score, and what. */
export async function shiftsOf(page: Page): Promise<{ score: number; moved: string[] }> {
  await page.evaluate(() => document.fonts.ready.then(() => null))
  return page.evaluate((): { score: number; moved: string[] } => Reflect.get(window, 'layoutShift'))
}
