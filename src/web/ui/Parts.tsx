import { createElement, Fragment, type ReactNode } from 'react'

/** The parts of a message with components in it, in their order. They never change places, so they need no keys. */
export function Parts({ of }: { of: readonly ReactNode[] }) {
  return createElement(Fragment, null, ...of)
}
