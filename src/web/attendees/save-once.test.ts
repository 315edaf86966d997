import { expect, test } from 'vitest'
import { Refusal } from '../../contract/errors.ts'
import { saveOnce } from './save-once.ts'

/** A server that stores the first request that arrives; `lost` lists which requests or answers get lost. */
function makeServer(lost: ('before' | 'after' | 'foreign' | null)[]) {
  let kept: string | null = null
  return async (name: string) => {
    const fate = lost.shift()
    if (fate === 'before') throw new Refusal('UNAVAILABLE')
    if (fate === 'foreign') throw new Refusal('INTERNAL', { status: 403 })
    if (name === '') throw new Refusal('INVALID_INPUT')
    kept ??= name
    if (fate === 'after') throw new Refusal('UNAVAILABLE')
    if (kept !== name) throw new Refusal('IDEMPOTENCY_MISMATCH')
    return kept
  }
}

test('a change after a lost answer gets the result of the request that had arrived', async () => {
  const save = saveOnce(makeServer(['foreign', 'after', null, null]))
  await expect(save('Id')).rejects.toThrow()
  await expect(save('Ida')).rejects.toThrow()
  expect(await save('Ida S')).toEqual({ saved: 'Ida', isEarlier: true })
})

test('a request that never arrived is simply sent again, changed or not', async () => {
  const save = saveOnce(makeServer(['before']))
  await expect(save('Ida')).rejects.toThrow()
  await expect(save('')).rejects.toThrow()
  expect(await save('Ida S')).toEqual({ saved: 'Ida S', isEarlier: false })
})
