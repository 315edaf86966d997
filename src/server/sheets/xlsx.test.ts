import { buffer } from 'node:stream/consumers'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { type Cell, xlsxStream } from './xlsx.ts'

const columns = [
  { header: 'Name', width: 20 },
  { header: 'When', width: 17, format: 'date and time' as const },
  { header: 'Sum', width: 10, format: 'money' as const },
]

async function* inPortions(...portions: Cell[][][]) {
  yield* portions
}

const read = async (portions: AsyncIterable<Cell[][]>, mostRows?: number) => {
  const sheet = { name: 'People', columns, portions, ...(mostRows !== undefined && { mostRows }) }
  return (await readXlsx(await buffer(xlsxStream(sheet)))).sheets
}

test('text, dates, numbers and empty cells are read back unchanged', async () => {
  const at = new Date('2026-11-22T19:35:00Z')
  const texts = ['=1+1', 'a\r\nb', '_x0041_', '<b>&amp;"', ' spaces ', 'two\nlines', ']]>', 'Zoë 山田 🎉', '00042', '']
  const rows: Cell[][] = texts.map((text, n) => [text, n % 2 === 0 ? at : null, n + 0.5])
  const [sheet] = await read(inPortions(rows.slice(0, 3), [], rows.slice(3)))
  expect(sheet?.name).toBe('People')
  expect(sheet?.rows).toEqual([['Name', 'When', 'Sum'], ...rows])
})

test('characters that XML forbids are dropped', async () => {
  const [sheet] = await read(inPortions([['a\u0000\u0008b\ufffe', null, null]]))
  expect(sheet?.rows[1]).toEqual(['ab', null, null])
})

test('an empty list has a header only; rows beyond the limit of a sheet continue in the next one', async () => {
  expect((await read(inPortions())).map(({ rows }) => rows)).toEqual([[['Name', 'When', 'Sum']]])
  const rows: Cell[][] = Array.from({ length: 4 }, (_, n) => [`Person ${n}`, null, n])
  const head = ['Name', 'When', 'Sum']
  for (const portions of [[rows], [rows.slice(0, 3), rows.slice(3)], rows.map((row) => [row])]) {
    const sheets = await read(inPortions(...portions), 3)
    expect(sheets.map(({ name }) => name)).toEqual(['People', 'People 2'])
    expect(sheets.map((sheet) => sheet.rows)).toEqual([
      [head, ...rows.slice(0, 2)],
      [head, ...rows.slice(2)],
    ])
  }
})

test('a failure to read rows fails the stream; when the stream is closed, no more rows are read', async () => {
  async function* failing(): AsyncGenerator<Cell[][]> {
    yield [['Ada', null, 1]]
    throw new Error('The database is gone.')
  }
  await expect(read(failing())).rejects.toThrow('The database is gone.')

  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  async function* endless(): AsyncGenerator<Cell[][]> {
    try {
      for (;;) yield Array.from({ length: 1_000 }, () => [crypto.randomUUID(), null, Math.random()])
    } finally {
      end()
    }
  }
  const content = xlsxStream({ name: 'People', columns, portions: endless() })
  let received = 0
  content.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > 100_000) content.destroy()
  })
  await ended
})
