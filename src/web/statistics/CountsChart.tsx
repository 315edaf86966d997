import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import styles from './statistics.module.css'

interface Props {
  title: string
  /** The unit of the counts, for the table's head. */
  unit: string
  points: { at: Date; count: number }[]
  label: (at: Date) => string
  /** A line to stay below, such as the capacity. */
  limit?: number | null
  isLine?: boolean
}

/** Counts over time as a chart, with the same numbers as a table for people who cannot see it. */
export function CountsChart({ title, unit, points, label, limit = null, isLine = false }: Props) {
  return (
    <section className={`card ${styles.chart}`} aria-label={title}>
      <h2>{title}</h2>
      {points.length === 0 ? (
        <p className="muted">Nothing yet.</p>
      ) : (
        <Plot points={points} unit={unit} label={label} limit={limit} isLine={isLine} />
      )}
      {points.length > 0 && (
        <details>
          <summary>The numbers</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">{unit}</th>
              </tr>
            </thead>
            <tbody>
              {points.map(({ at, count }) => (
                <tr key={at.getTime()}>
                  <td>{label(at)}</td>
                  <td>{count}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </section>
  )
}

function Plot({ points, unit, label, limit, isLine }: Required<Omit<Props, 'title'>>) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const data: uPlot.AlignedData = [
    points.map((_, index) => index),
    points.map(({ count }) => count),
    ...(limit === null ? [] : [points.map(() => limit)]),
  ]
  const shape = `${points.length} ${limit} ${points[0]?.at.getTime()}`

  // Creates a new chart when its axis changes; the effect below only updates its numbers.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for what it is made of.
  useEffect(() => {
    const element = box.current
    if (!element) return
    plot.current = new uPlot(options(element.clientWidth, { points, unit, label, limit, isLine }), data, element)
    const observer = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: 260 }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.current?.destroy()
      plot.current = null
    }
  }, [shape])
  useEffect(() => {
    plot.current?.setData(data)
  })
  return <div className={styles.plot} ref={box} aria-hidden="true" />
}

function options(width: number, { points, unit, label, limit, isLine }: Required<Omit<Props, 'title'>>): uPlot.Options {
  const name = (index: number) => {
    const point = points[Math.round(index)]
    return point && Number.isInteger(index) ? label(point.at) : ''
  }
  const bars = uPlot.paths.bars?.({ size: [0.7, 48] })
  return {
    width,
    height: 260,
    legend: { live: true },
    cursor: { drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.6, points.length - 0.4] },
      y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] },
    },
    axes: [
      {
        values: (_plot, splits) => splits.map(name),
        space: 90,
        grid: { show: false },
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      },
      { incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000], size: 56 },
    ],
    series: [
      { label: 'When', value: (_plot, value) => (value === null ? '' : name(value)) },
      {
        label: unit,
        stroke: '#5151bd',
        fill: '#6464d388',
        width: 2,
        ...(!isLine && bars && { paths: bars }),
        points: { show: isLine && points.length < 60 },
      },
      ...(limit === null ? [] : [{ label: 'Capacity', stroke: '#b3261e', dash: [6, 6], points: { show: false } }]),
    ],
  }
}
