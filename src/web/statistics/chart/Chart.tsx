import { useClickOutside, useMergedRef } from '@mantine/hooks'
import { type PointerEvent, useState } from 'react'
import { type Axis, type Tick, valueTicks } from './axis.ts'
import styles from './chart.module.css'
import { layOut, type Plot } from './lay-out.ts'
import { useWidth } from './use-width.ts'

/** One step of the horizontal axis, with what is drawn and said of it. */
export interface Band {
  /** Tells it from the others. */
  id: number
  /** The time it stands for. */
  title: string
  /** Its values in words. */
  text: string
  value: number
  /** Drawn from zero downwards; 0 or less. */
  below?: number
}

export interface ChartProps {
  /** What it shows, for people who cannot see it. */
  label: string
  kind: 'line' | 'bars'
  bands: readonly Band[]
  axis: Axis
  /** The text of a value at the vertical axis; `step` is the distance between two of them. */
  format: (value: number, step: number) => string
  /** A line to stay below, such as the capacity. */
  limit?: { value: number; text: string } | null
}

/**
 * A line or bars over time. Pointing at it, touching it, or moving the focus over it with the arrow keys shows the values of one band. Its
 * colours are tokens in the style sheet, so it follows the colour scheme by itself.
 */
export function Chart({ label, kind, bands, axis, format, limit = null }: ChartProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const [ref, width] = useWidth()
  // After a touch the values stay until something else is touched.
  const outside = useClickOutside<HTMLDivElement>(() => setChosen(null), ['pointerdown'])
  const last = bands.length - 1
  const active = chosen === null ? null : Math.min(chosen, last)
  const shown = bands[active ?? last]
  const values = bands.flatMap(({ value, below = 0 }) => [value, below])
  const ticks = valueTicks(Math.min(0, ...values), Math.max(0, limit?.value ?? 0, ...values))
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0)
  const labels = ticks.map((value) => ({ value, text: format(value, step) }))
  const times = axis(Math.max(2, Math.floor((width - AXIS_ROOM) / LABEL_ROOM)))
  const hasYears = times.some(({ year }) => year !== undefined)
  const plot = layOut({ width, count: bands.length, isToEdges: kind === 'line', labels, hasYears })
  const point = (event: PointerEvent<HTMLDivElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    setChosen(plot.bandAt(event.clientX - left))
  }
  return (
    <div
      className={styles.plot}
      ref={useMergedRef(ref, outside)}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setChosen(null)}
    >
      {width > 0 && (
        <svg width={width} height={plot.height} aria-hidden="true">
          <ValueAxis labels={labels} plot={plot} />
          <TimeAxis ticks={times} plot={plot} />
          {kind === 'bars' ? (
            <Bars bands={bands} plot={plot} active={active} />
          ) : (
            <Line bands={bands} plot={plot} active={active} />
          )}
          {limit && <Limit {...limit} plot={plot} />}
        </svg>
      )}
      <input
        className={styles.slider}
        type="range"
        aria-label={label}
        aria-valuetext={shown && `${shown.title}: ${shown.text}`}
        min={0}
        max={last}
        value={active ?? last}
        onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
        onFocus={() => setChosen((before) => before ?? last)}
        onBlur={() => setChosen(null)}
      />
      {active !== null && shown && (
        <p
          className={styles.values}
          aria-hidden="true"
          style={{ left: `clamp(6.5rem, ${Math.round(plot.x(active))}px, 100% - 6.5rem)` }}
        >
          <span>{shown.title}</span> {shown.text}
        </p>
      )}
    </div>
  )
}

/** About the width of the vertical axis, and the room that a label of the horizontal one takes, in px. */
const AXIS_ROOM = 70
const LABEL_ROOM = 62

interface Part {
  plot: Plot
}

interface Drawing extends Part {
  bands: readonly Band[]
  active: number | null
}

function ValueAxis({ labels, plot }: Part & { labels: readonly { value: number; text: string }[] }) {
  return labels.map(({ value, text }) => (
    <g key={value}>
      <line
        className={value === 0 ? styles.zero : styles.grid}
        x1={plot.left}
        x2={plot.right}
        y1={plot.y(value)}
        y2={plot.y(value)}
      />
      <text className={styles.label} x={plot.left - 8} y={plot.y(value)} dy="0.35em" textAnchor="end">
        {text}
      </text>
    </g>
  ))
}

function TimeAxis({ ticks, plot }: Part & { ticks: readonly Tick[] }) {
  return ticks.map(({ at, text, year }) => (
    <text className={styles.label} key={at} x={plot.x(at)} y={plot.bottom + 20} textAnchor="middle">
      {text}
      {year !== undefined && (
        <tspan x={plot.x(at)} dy="1.25em">
          {year}
        </tspan>
      )}
    </text>
  ))
}

function Bars({ bands, plot, active }: Drawing) {
  const width = Math.min(48, Math.max(1, plot.band * 0.72))
  const bar = (index: number, value: number) => ({
    x: plot.x(index) - width / 2,
    y: Math.min(plot.y(0), plot.y(value)),
    width,
    height: Math.abs(plot.y(value) - plot.y(0)),
    rx: Math.min(3, width / 4),
  })
  return (
    <>
      {active !== null && (
        <rect
          className={styles.active}
          x={plot.x(active - 0.5)}
          y={plot.top}
          width={plot.band}
          height={plot.bottom - plot.top}
        />
      )}
      {bands.map(({ id, value, below = 0 }, index) => (
        <g key={id}>
          {value > 0 && <rect className={styles.bar} {...bar(index, value)} />}
          {below < 0 && <rect className={styles.below} {...bar(index, below)} />}
        </g>
      ))}
    </>
  )
}

function Line({ bands, plot, active }: Drawing) {
  const points = bands.map(({ value }, index) => [plot.x(index), plot.y(value)] as const)
  const path = `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`
  const [first, end] = [points[0], points.at(-1)]
  const marked = active === null ? end : points[active]
  return (
    <>
      {first && end && <path className={styles.area} d={`${path}L${end[0]} ${plot.y(0)}L${first[0]} ${plot.y(0)}Z`} />}
      <path className={styles.line} d={path} />
      {active !== null && marked && (
        <line className={styles.cursor} x1={marked[0]} x2={marked[0]} y1={plot.top} y2={plot.bottom} />
      )}
      {marked && <circle className={styles.dot} cx={marked[0]} cy={marked[1]} r={5} />}
    </>
  )
}

function Limit({ value, text, plot }: Part & { value: number; text: string }) {
  return (
    <>
      <line className={styles.limit} x1={plot.left} x2={plot.right} y1={plot.y(value)} y2={plot.y(value)} />
      <text className={styles.limitLabel} x={plot.left + 6} y={plot.y(value) - 7}>
        {text}
      </text>
    </>
  )
}
