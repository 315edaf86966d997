/** Where things are drawn in a chart, in px. */
export interface Plot {
  height: number
  left: number
  right: number
  top: number
  bottom: number
  /** The room of each step of the horizontal axis. */
  band: number
  /** The middle of the band with this number, which may be a fraction. */
  x: (index: number) => number
  y: (value: number) => number
  /** The number of the band at this distance from the left edge of the chart. */
  bandAt: (x: number) => number
}

interface Needs {
  width: number
  /** The number of bands. */
  count: number
  /** Whether the first and the last band are at the edges, as for a line, and not beside them, as for bars. */
  isToEdges: boolean
  /** The labels of the vertical axis, in ascending order. */
  labels: readonly { value: number; text: string }[]
  /** Whether the labels of the horizontal axis have a second line. */
  hasYears: boolean
}

/** Repeated in the style sheet, so that the room is kept before the width is known. */
const HEIGHT = 260
/** The width of a character of the axes' labels. */
const CHARACTER = 7.6

/** Lays out a chart around its labels. */
export function layOut({ width, count, isToEdges, labels, hasYears }: Needs): Plot {
  const left = 12 + CHARACTER * Math.max(...labels.map(({ text }) => text.length))
  // Half a label of the horizontal axis has room beside the last band.
  const [right, top, bottom] = [Math.max(left + 1, width - 20), 30, HEIGHT - (hasYears ? 46 : 30)]
  const [least, most] = [labels[0]?.value ?? 0, labels.at(-1)?.value ?? 1]
  const isLine = isToEdges && count > 1
  const band = (right - left) / (isLine ? count - 1 : Math.max(1, count))
  const first = isLine ? left : left + band / 2
  return {
    height: HEIGHT,
    left,
    right,
    top,
    bottom,
    band,
    x: (index) => first + index * band,
    y: (value) => bottom - ((value - least) / (most - least)) * (bottom - top),
    bandAt: (x) => Math.min(count - 1, Math.max(0, Math.round((x - first) / band))),
  }
}
