import { useState } from 'react'
import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/passkeyUse.ts'

// Most people never need it.
const loadPasskeys = () => import('./passkeys.ts')
type Passkeys = Awaited<ReturnType<typeof loadPasskeys>>

/**
 * Something that a button does with passkeys, once at a time. When it fails, `problem` says why. The button must not be disabled meanwhile,
 * which would lose the focus.
 */
export function usePasskey(work: (passkeys: Passkeys) => Promise<void>, onFailed = () => {}) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  async function use(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setProblem(null)
    try {
      await work(await loadPasskeys())
    } catch (failure) {
      onFailed()
      setProblem(failure instanceof Refusal ? (failure.fields[0]?.msg() ?? failure.message) : texts.failed())
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, problem, use: () => void use() }
}
