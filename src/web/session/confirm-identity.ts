import * as z from 'zod/mini'
import { askedProof } from '../../contract/security.ts'
import { createStore, useStore } from '../api/store.ts'

export type AskedProof = z.output<typeof askedProof>

/** Calls that wait until the person has proved who they are, and are then sent once more. */
const waiting = new Set<(isProven: boolean) => void>()
/** How they prove it; null while no call waits. */
const asked = createStore<AskedProof | null>(null)

/** Called when a call needs a fresh sign-in. A dialog opens over the page; returns whether the call can be sent again. */
export function confirmIdentity(payload: unknown): Promise<boolean> {
  const { data } = z.safeParse(askedProof, payload)
  return new Promise((resolve) => {
    waiting.add(resolve)
    asked.set(data ?? { by: 'password', hasPasskey: false })
  })
}

/** Tells all waiting calls whether to send again. */
export function settleConfirming(isProven: boolean): void {
  const settled = [...waiting]
  waiting.clear()
  for (const resolve of settled) resolve(isProven)
  asked.set(null)
}

/** How the person is to prove who they are; null while no call waits for it. */
export function useAskedProof(): AskedProof | null {
  return useStore(asked)
}
