import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { PageRenderer } from '../contract/page-renderer.ts'

/** The public pages of the web app as the build made them for the server; null while the web app is developed, without a build. */
export async function loadRenderer(file: string): Promise<PageRenderer | null> {
  if (!existsSync(file)) return null
  const built: { renderer?: PageRenderer } = await import(pathToFileURL(file).href)
  return built.renderer ?? null
}
