import { codeSquares } from './code-squares.ts'

const CELL = 12

/** A QR code as a PNG, black on white with a quiet zone. */
export async function codePicture(text: string): Promise<Blob | null> {
  const squares = codeSquares(text)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = squares.length * CELL
  const pen = canvas.getContext('2d')
  if (!pen) return null
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.fillStyle = '#000'
  for (const [y, row] of squares.entries())
    for (const [x, isDark] of row.entries()) if (isDark) pen.fillRect(x * CELL, y * CELL, CELL, CELL)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}
