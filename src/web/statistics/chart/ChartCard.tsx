import { type ReactNode, useId, useState } from 'react'
import * as texts from '../../../texts/generated/statistics.ts'
import { Segments } from '../../ui/forms/Segments.tsx'
import { Chart, type ChartProps } from './Chart.tsx'
import styles from './chart.module.css'

interface Props {
  title: string
  /** What the charts show; the first is chosen at the start. */
  views: readonly {
    name: string
    chart: ChartProps /** What the colours mean, where there are several. */
    legend?: ReactNode
  }[]
  table: TableProps
}

/** A chart in several views, with its numbers as a table. */
export function ChartCard({ title, views, table }: Props) {
  const id = useId()
  const [chosen, setChosen] = useState(0)
  const view = views[chosen] ?? views[0]
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <Segments
          label={texts.view({ title })}
          options={views.map(({ name }, index) => ({ label: name, value: String(index) }))}
          value={String(chosen)}
          onChange={(value) => setChosen(Number(value))}
        />
      </div>
      {view && <Chart key={view.name} {...view.chart} />}
      {view?.legend}
      <details className={styles.table}>
        <summary className="folds">{texts.showAsTable()}</summary>
        <ChartTable {...table} />
      </details>
    </section>
  )
}

export interface TableProps {
  caption: string
  columns: readonly string[]
  /** The first cell is the head of its row. */
  rows: readonly { id: number; cells: readonly string[] }[]
  /** The totals, below. */
  total?: readonly string[]
}

function ChartTable({ caption, columns, rows, total }: TableProps) {
  return (
    <div className={styles.scroll}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells }) => (
            <Row key={id} cells={cells} columns={columns} />
          ))}
        </tbody>
        {total && (
          <tfoot>
            <Row cells={total} columns={columns} />
          </tfoot>
        )}
      </table>
    </div>
  )
}

function Row({ cells: [head, ...cells], columns }: { cells: readonly string[]; columns: readonly string[] }) {
  return (
    <tr>
      <th scope="row">{head}</th>
      {cells.map((cell, index) => (
        <td key={columns[index + 1]}>{cell}</td>
      ))}
    </tr>
  )
}
