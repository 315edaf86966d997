import { build } from 'vite'
import { expect, test } from 'vitest'
import { oneByte } from '../vite.one-byte.ts'

/** What the build makes of a module with this text. */
async function built(text: string): Promise<string> {
  const id = 'the-module'
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [{ name: 'text', resolveId: (name) => (name === id ? id : null), load: () => text }, oneByte],
    build: { write: false, ssr: true, rolldownOptions: { input: id } },
  })
  const [first] = Array.isArray(result) ? result : [result]
  if (!first || !('output' in first)) throw new Error('There is no output.')
  return first.output[0].code
}

test('what the server’s files say stays the same with one byte a character', async () => {
  const code = await built('export default ["Zoë – 夏 🎉", `1 → 2`, /^[🎉夏]$/u.test("🎉"), "a\\\\n"]')
  expect(code).not.toMatch(/[\u0100-\uffff]/)
  const { default: values } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  expect(values).toEqual(['Zoë – 夏 🎉', '1 → 2', true, 'a\\n'])
})

test('a text in which an escape would mean something else is refused', async () => {
  await expect(built('export default String.raw`夏`')).rejects.toThrow('would mean something else')
})
