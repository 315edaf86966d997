import type { Event } from '../../contract/event.ts'
import type { Statistics } from '../../contract/statistics.ts'
import { decimalsOf, formatAmount } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/statistics.ts'
import { serverNow } from '../api/server-time.ts'
import { calendarOf, sumOf, unitNames } from './calendar.ts'
import { dayAxis } from './chart/axis.ts'
import type { Band } from './chart/Chart.tsx'
import { ChartCard, type TableProps } from './chart/ChartCard.tsx'
import { dayOf, formatDay, formatDays, type Span } from './chart/days.ts'
import { formatRound, type Money, netOf, sayMoney } from './figures.ts'
import styles from './IncomeChart.module.css'

interface Props {
  event: Event
  income: NonNullable<Statistics['income']>
  incomeByDay: Statistics['incomeByDay']
}

/** The income by day: what was paid, and what of it was given back. */
export function IncomeChart({ event, income, incomeByDay }: Props) {
  const { currency } = income
  const rows = incomeByDay.map(({ at, ...money }) => ({ day: dayOf(at, event.timeZone), ...money }))
  const { days, unit, spans, year } = calendarOf(rows, event, serverNow())
  const moneyIn = (span: Span): Money => ({
    paid: sumOf(rows, span, ({ paid }) => paid),
    refunded: sumOf(rows, span, ({ refunded }) => refunded),
    lost: sumOf(rows, span, ({ lost }) => lost),
  })
  let net = 0
  const inAll = days.map((day): Band => {
    const money = moneyIn({ from: day, to: day })
    net += netOf(money)
    const total = formatAmount(net, currency)
    const text =
      netOf(money) === 0 && money.paid === 0
        ? texts.netInAll({ total })
        : texts.netChange({ change: sayMoney(money, currency), total })
    return { id: day, title: formatDays({ from: day, to: day }), text, value: net }
  })
  const byUnit = spans.map((span): Band => {
    const money = moneyIn(span)
    const below = -(money.refunded + money.lost)
    return { id: span.from, title: formatDays(span), text: sayMoney(money, currency), value: money.paid, below }
  })
  const format = (value: number, step: number) =>
    step % 10 ** decimalsOf(currency) === 0 ? formatRound(value, currency) : formatAmount(value, currency)
  return (
    <ChartCard
      title={texts.income()}
      views={[
        {
          name: texts.total(),
          chart: {
            label: texts.netByDay(),
            kind: 'line',
            bands: inAll,
            axis: dayAxis(days, year),
            format,
          },
        },
        {
          name: unitNames[unit](),
          chart: {
            label: texts.moneyBy({ unit: unit === 'day' ? 'other' : unit }),
            kind: 'bars',
            bands: byUnit,
            axis: dayAxis(
              spans.map(({ from }) => from),
              year,
            ),
            format,
          },
          legend: income.refunded + income.lost > 0 && <Legend hasLost={income.lost > 0} />,
        },
      ]}
      table={tableOf(rows, income)}
    />
  )
}

function Legend({ hasLost }: { hasLost: boolean }) {
  return (
    <ul className={styles.legend}>
      <li className={styles.paid}>{texts.paid()}</li>
      <li className={styles.back}>{hasLost ? texts.givenBackOrLost() : texts.givenBack()}</li>
    </ul>
  )
}

function tableOf(rows: readonly (Money & { day: number })[], income: Props['income']): TableProps {
  const hasLost = income.lost > 0
  const cells = (head: string, money: Money) =>
    [head, money.paid, money.refunded, ...(hasLost ? [money.lost] : []), netOf(money)].map((cell) =>
      typeof cell === 'string' ? cell : formatAmount(cell, income.currency),
    )
  return {
    caption: hasLost ? texts.incomeByDayLost() : texts.incomeByDay(),
    columns: [texts.day(), texts.paid(), texts.givenBack(), ...(hasLost ? [texts.lost()] : []), texts.net()],
    rows: rows.map(({ day, ...money }) => ({ id: day, cells: cells(formatDay(day), money) })),
    total: cells(texts.total(), income),
  }
}
