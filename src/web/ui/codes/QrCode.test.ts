import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { codeSquares } from './code-squares.ts'
import { QrCode } from './QrCode.tsx'

test('the picture of a code has exactly the dark modules of the code', () => {
  const text = 'https://club.example/qr/42/2f1c0d5e-secret'
  const path = / d="([^"]+)"/.exec(renderToStaticMarkup(createElement(QrCode, { text, label: 'Code' })))?.[1] ?? ''
  const drawn = new Set<string>()
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g))
    for (let n = 0; n < Number(width); n++) drawn.add(`${Number(x) + n},${y}`)
  const dark = codeSquares(text).flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x},${y}`] : [])))
  expect([...drawn].sort()).toEqual(dark.sort())
})

test('around a code there is room of four squares, without which phones do not find it', () => {
  const squares = codeSquares('https://club.example/qr/42/2f1c0d5e-secret')
  const dark = squares.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [x, y] : [])))
  expect([Math.min(...dark), Math.max(...dark)]).toEqual([4, squares.length - 5])
})
