import type { ComponentType } from 'react'
import type { LoaderFunctionArgs, RouteObject } from 'react-router'
import type { PagePath } from '../../contract/page-paths.ts'
import { readSession } from '../session/session.ts'

/** A page's module exports its component and nothing else. */
type PageModule = Readonly<Record<string, ComponentType>>

/** Returns where somebody without access is sent, null for everybody else. */
type Access = (args: LoaderFunctionArgs) => Response | null | Promise<Response | null>

/** The function of `page-data.ts` that asks for what the page reads first. */
type DataName = keyof typeof import('./page-data.ts')

let openedAt = 0

/** When the last page was opened, by the page's own clock: its data were asked for since. */
export function lastOpenedAt(): number {
  return openedAt
}

export const anyone: Access = () => null

/** One page. Its title is refined by pages that show something with a name. Its data are asked for while its code loads. */
export function page(
  path: PagePath,
  title: string,
  access: Access,
  code: () => Promise<PageModule>,
  data?: DataName,
): RouteObject {
  return {
    path,
    handle: { title },
    loader: async (args) => {
      openedAt = performance.now()
      const redirection = await access(args)
      if (redirection === null && data) askFor(data, args).catch(() => {})
      return redirection
    },
    lazy: async () => {
      const [Component] = Object.values(await code())
      if (!Component) throw new Error(`The module of ${path} has no component.`)
      return { Component }
    },
  }
}

/** What fails here is shown by the page, which reads the same. */
async function askFor(data: DataName, { params, request }: LoaderFunctionArgs): Promise<void> {
  const session = readSession()
  if (!session) return
  const ask = (await import('./page-data.ts'))[data]
  ask({ params, search: new URL(request.url).searchParams, user: session.user })
}

/** The title that a route of the table has. */
export function titleOf(handle: unknown): string {
  if (typeof handle !== 'object' || handle === null || !('title' in handle)) return ''
  return typeof handle.title === 'string' ? handle.title : ''
}
