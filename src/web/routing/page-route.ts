import { type ComponentType, createElement } from 'react'
import { type LoaderFunctionArgs, type RouteObject, useParams } from 'react-router'
import type { PagePath } from '../../contract/page-paths.ts'
import type { Message } from '../../texts/language.ts'
import { readSession } from '../session/session.ts'
import type { Opened } from './ask-ahead.ts'

/** A page's module exports its component and nothing else. */
type PageModule = Readonly<Record<string, ComponentType>>

/** Returns the redirect for users without access, null for all others. */
type Access = (args: LoaderFunctionArgs) => Response | null | Promise<Response | null>

/** The function of `page-data.ts` that requests the page's first data, by its name; or how another one is loaded. */
type Data = keyof typeof import('./page-data.ts') | (() => Promise<(opened: Opened) => void>)

let openedAt = 0

/** When the last page was opened, by `performance.now()`: its data were requested after that. */
export function lastOpenedAt(): number {
  return openedAt
}

export const anyone: Access = () => null

/** One page. Pages that show something with a name refine the title. The page's data are requested while its code loads. */
export function page(
  path: PagePath,
  title: Message | null,
  access: Access,
  code: () => Promise<PageModule>,
  data?: Data,
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
      return { Component: keyedByIds(Component) }
    },
  }
}

/**
 * Remounts the page when an id in its address changes: otherwise its forms would keep the data of the first record, and save them to it.
 * The variant of the scanner does not count, since the door stays open when it changes.
 */
function keyedByIds(Component: ComponentType): ComponentType {
  return function Page() {
    const { variant: _, ...ids } = useParams()
    return createElement(Component, { key: JSON.stringify(ids) })
  }
}

/** Requests the page's data. A failure is shown by the page, which reads the same data. */
async function askFor(data: Data, { params, request }: LoaderFunctionArgs): Promise<void> {
  const session = readSession()
  if (!session) return
  const ask = typeof data === 'function' ? await data() : (await import('./page-data.ts'))[data]
  ask({ params, search: new URL(request.url).searchParams, user: session.user })
}

/** The title of a route of the table. */
export function titleOf(handle: unknown): string {
  if (typeof handle !== 'object' || handle === null || !('title' in handle)) return ''
  return typeof handle.title === 'function' ? String(handle.title()) : ''
}
