import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { PageRenderer } from '../contract/page-renderer.ts'

/** The renderer of the public pages from the web app's build; null in development, without a build. */
export async function loadRenderer(file: string): Promise<PageRenderer | null> {
  if (!existsSync(file)) return null
  const built: { renderer?: PageRenderer } = await import(pathToFileURL(file).href)
  return built.renderer ?? null
}
