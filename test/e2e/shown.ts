import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { TaskMeta } from 'vitest'

// What the pages of a failed test showed, for the report of the tests.

/** A test while its hooks run. */
export interface Tested {
  name: string
  meta: TaskMeta
  result?: { state: string }
}

declare module 'vitest' {
  interface TaskMeta {
    /** What the pages of a failed test showed. `scripts/test.mjs` prints a part of it. */
    shown?: string[]
  }
}

/** What the pages showed that the current test has closed itself: whether it fails is known only later. */
let shownBefore: string[] = []
/** Pages whose text is noted already, so that one left open is not listed again for the next test that fails. */
const noted = new WeakSet<Page>()

/** Keeps what the pages show when a test closes them. */
export function noteAtClose(closed: Browser | BrowserContext): void {
  const close = closed.close.bind(closed)
  closed.close = async (options) => {
    shownBefore.push(...(await shownBy('contexts' in closed ? closed.contexts() : [closed])))
    await close(options)
  }
}

/** If the test failed, notes what these pages and those that it has closed show. */
export async function noteShown({ name, meta, result }: Tested, contexts: readonly BrowserContext[]): Promise<void> {
  const before = takeShown()
  if (result?.state !== 'fail') return
  const shown = [...before, ...(await shownBy(contexts))]
  for (const each of shown) console.error(`${name}: ${each}`)
  meta.shown = [...(meta.shown ?? []), ...shown]
}

/** Returns and forgets what closed pages showed. */
export function takeShown(): string[] {
  const before = shownBefore
  shownBefore = []
  return before
}

async function shownBy(contexts: readonly BrowserContext[]): Promise<string[]> {
  const pages = contexts.flatMap((context) => context.pages()).filter((page) => !noted.has(page))
  for (const page of pages) noted.add(page)
  return Promise.all(pages.map(async (page) => `${page.url()} showed\n${await textOf(page)}`))
}

const ANSWER_MS = 5_000

/** The text of the page without long lists of choices. */
async function textOf(page: Page): Promise<string> {
  const silence = new Promise<string>((resolve) => setTimeout(resolve, ANSWER_MS, 'nothing: it did not answer').unref())
  const text = page.evaluate(() => {
    const choices = [...document.querySelectorAll('select')]
    for (const each of choices) each.style.display = 'none'
    const text = document.body.innerText
    for (const each of choices) each.style.display = ''
    return text
  })
  return Promise.race([text.catch(String), silence])
}
