import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeTurns, type OnScreen } from './turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A scanner whose scans take a given time; `log` lists the begun scans and the shown verdicts, in order. */
function door() {
  const turns = makeTurns()
  const log: string[] = []
  const scan = (name: string, kind: OnScreen, afterMs: number) =>
    turns.add(async () => {
      log.push(`begin ${name}`)
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      turns.show(kind)
      log.push(`${kind} ${name}`)
    })
  return { turns, log, scan }
}

test('a refusal is shown before the next scan, which waits until it is cleared', async () => {
  const { turns, log, scan } = door()
  scan('A', 'refused', 3_000)
  await vi.advanceTimersByTimeAsync(500)
  scan('B', 'in', 10)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(log).toEqual(['begin A', 'refused A'])
  turns.show(null)
  await vi.advanceTimersByTimeAsync(10)
  expect(log).toEqual(['begin A', 'refused A', 'begin B', 'in B'])
})

test('each "in" is shown for a while before the next, in the order of the scans', async () => {
  const { log, scan } = door()
  for (const name of ['A', 'B', 'C']) scan(name, 'in', 20)
  await vi.advanceTimersByTimeAsync(20)
  expect(log).toEqual(['begin A', 'in A'])
  await vi.advanceTimersByTimeAsync(399)
  expect(log).toEqual(['begin A', 'in A'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(log).toEqual(['begin A', 'in A', 'begin B', 'in B', 'begin C', 'in C'])
})

test('a code that is scanned while a refusal is shown replaces it after a while', async () => {
  const { turns, log, scan } = door()
  scan('A', 'refused', 0)
  await vi.advanceTimersByTimeAsync(100)
  expect(turns.isFree()).toBe(false)
  scan('B', 'in', 0)
  await vi.advanceTimersByTimeAsync(800)
  expect(log).toEqual(['begin A', 'refused A'])
  await vi.advanceTimersByTimeAsync(200)
  expect(log).toEqual(['begin A', 'refused A', 'begin B', 'in B'])
  await vi.advanceTimersByTimeAsync(400)
  expect(turns.isFree()).toBe(true)
})

test('a question stays until it is answered; its answer runs before the scans that wait', async () => {
  const { turns, log, scan } = door()
  scan('A', 'ask', 0)
  await vi.advanceTimersByTimeAsync(10)
  scan('B', 'in', 0)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(log).toEqual(['begin A', 'ask A'])
  const letIn = async () => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    log.push('let in A')
    turns.show('in')
  }
  turns.runNow(letIn)
  // A second tap on the same button.
  turns.runNow(letIn)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(log).toEqual(['begin A', 'ask A', 'let in A', 'begin B', 'in B'])
})

test('a late verdict can tell that a newer turn has begun, and waiting scans are dropped with the page', async () => {
  const { turns, log, scan } = door()
  let isLatest = () => true
  turns.add(async () => {
    isLatest = turns.makeIsLatest()
    turns.show('refused')
  })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(isLatest()).toBe(true)
  scan('B', 'in', 100)
  expect(isLatest()).toBe(false)
  scan('C', 'in', 100)
  turns.stop()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(log).toEqual(['begin B', 'in B'])
})

test('a scan that fails does not hold up the next', async () => {
  const { turns, log, scan } = door()
  turns.add(() => Promise.reject(new Error('broken')).catch(() => {}))
  scan('B', 'in', 0)
  await vi.advanceTimersByTimeAsync(10)
  expect(log).toEqual(['begin B', 'in B'])
})
