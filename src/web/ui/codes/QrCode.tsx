import { useMemo } from 'react'
import { codeSquares } from './code-squares.ts'

/** A QR code, black on white with a quiet zone in every colour scheme. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const squares = codeSquares(text)
    return { size: squares.length, path: squares.map(lineOf).join('') }
  }, [text])
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** A row of a code as a path: one rectangle for each run of dark modules. */
function lineOf(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; ) {
    const next = row.indexOf(!row[x], x)
    const end = next < 0 ? row.length : next
    if (row[x]) path += `M${x} ${y}h${end - x}v1H${x}z`
    x = end
  }
  return path
}
