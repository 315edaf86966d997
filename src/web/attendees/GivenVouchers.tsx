import { Fieldset, NativeSelect } from '@mantine/core'
import { type Extras, MOST_VOUCHERS } from '../../contract/extras.ts'
import { formatPrice } from '../../contract/values/money.ts'
import * as texts from '../../texts/generated/attendees.ts'

interface Props {
  /** Those on sale. */
  sold: readonly Extras[]
  /** Without network, only vouchers of which there is no limited number can be given. */
  isOffline: boolean
  /** How many of each, by its id. */
  counts: ReadonlyMap<number, number>
  onChange: (counts: ReadonlyMap<number, number>) => void
}

/** The vouchers that staff give to somebody whom they add. Nothing while none are on sale. */
export function GivenVouchers({ sold, isOffline, counts, onChange }: Props) {
  if (sold.length === 0) return null
  return (
    <Fieldset variant="unstyled" legend={texts.vouchers()} mb="md">
      {sold.some(({ price }) => price > 0) && <p className="muted small">{texts.vouchersPaidOnTheSpot()}</p>}
      {sold.map((extras) => (
        <NativeSelect
          key={extras.id}
          mt="sm"
          label={nameOf(extras)}
          description={isOffline && extras.maxQuantity !== null ? texts.onlyWithNetwork() : undefined}
          // What was chosen before the network went can be taken away again.
          disabled={isOffline && extras.maxQuantity !== null && !counts.get(extras.id)}
          data={Array.from({ length: mostOf(extras, counts) + 1 }, (_, count) => String(count))}
          value={String(counts.get(extras.id) ?? 0)}
          onChange={({ target }) => onChange(new Map([...counts, [extras.id, Number(target.value)]]))}
        />
      ))}
    </Fieldset>
  )
}

/** The ids as the call takes them: each as often as it is given. */
export function countsToIds(counts: ReadonlyMap<number, number>): number[] {
  return [...counts].flatMap(([id, count]) => Array.from({ length: count }, () => id))
}

/** How often each of these ids is named. */
export function idsToCounts(ids: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

function nameOf({ name, price, currency }: Extras): string {
  return price === 0 ? name : texts.voucherWithPrice({ name, price: formatPrice(price, currency) })
}

/** At least as many as were chosen: fewer may be left since. */
function mostOf({ id, maxQuantity, soldCount }: Extras, counts: Props['counts']): number {
  const left = maxQuantity === null ? MOST_VOUCHERS : Math.min(MOST_VOUCHERS, maxQuantity - soldCount)
  return Math.max(0, left, counts.get(id) ?? 0)
}
