import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Face, makeTurns } from './turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A door at which each code comes to a verdict after so long; `log` says what was begun and shown, in order. */
function door() {
  const turns = makeTurns()
  const log: string[] = []
  const scan = (name: string, face: Face, afterMs: number) =>
    turns.add(async () => {
      log.push(`begin ${name}`)
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      turns.show(face)
      log.push(`${face} ${name}`)
    })
  return { turns, log, scan }
}

test('who is refused is seen before the next code, which waits until that is cleared', async () => {
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

test('who comes in is there to be seen before the next, in the order in which they came', async () => {
  const { log, scan } = door()
  for (const name of ['A', 'B', 'C']) scan(name, 'in', 20)
  await vi.advanceTimersByTimeAsync(20)
  expect(log).toEqual(['begin A', 'in A'])
  await vi.advanceTimersByTimeAsync(399)
  expect(log).toEqual(['begin A', 'in A'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(log).toEqual(['begin A', 'in A', 'begin B', 'in B', 'begin C', 'in C'])
})

test('a code that is scanned in sight of a refusal clears it, when it can have been seen', async () => {
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

test('nobody takes the place of who is asked about; the answer comes before those that wait', async () => {
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
  turns.answer(letIn)
  // A second touch of the same button.
  turns.answer(letIn)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(log).toEqual(['begin A', 'ask A', 'let in A', 'begin B', 'in B'])
})

test('what comes late is told from what is newer, and what waits is forgotten with the page', async () => {
  const { turns, log, scan } = door()
  let isMine = () => true
  turns.add(async () => {
    isMine = turns.stillMine()
    turns.show('refused')
  })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(isMine()).toBe(true)
  scan('B', 'in', 100)
  expect(isMine()).toBe(false)
  scan('C', 'in', 100)
  turns.stop()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(log).toEqual(['begin B', 'in B'])
})

test('what fails does not hold up the next', async () => {
  const { turns, log, scan } = door()
  turns.add(() => Promise.reject(new Error('broken')).catch(() => {}))
  scan('B', 'in', 0)
  await vi.advanceTimersByTimeAsync(10)
  expect(log).toEqual(['begin B', 'in B'])
})
