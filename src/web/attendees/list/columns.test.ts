import { expect, test } from 'vitest'
import { columnsFor, fits, standardColumns } from './columns.ts'

const meal = { ...{ id: 7, eventId: 1, typeId: 1, text: 'Meal', required: false }, options: [], showAtDoor: false }
const ids = (known: Partial<Parameters<typeof columnsFor>[0]>) =>
  columnsFor({ hasPrice: false, hasVouchers: false, questions: [], ...known }).map(({ id }) => id)

test('a free event without vouchers has no columns about them; each question has one', () => {
  expect(ids({})).toEqual(['email', 'phone', 'registered', 'id', 'mail'])
  expect(ids({ hasPrice: true, hasVouchers: true }).slice(0, 2)).toEqual(['paid', 'vouchers'])
  expect(ids({ questions: [{ ...meal, version: 1 }] })).toContain('q7')
})

test('the usual columns fit beside the menu of the smallest desktop, all columns with answers do not', () => {
  const questions = Array.from({ length: 4 }, (_, n) => ({ ...meal, id: n + 1, version: 1 }))
  const all = columnsFor({ hasPrice: true, hasVouchers: true, questions })
  const beside = 1280 - 224 - 32
  expect(
    fits(
      all.filter(({ id }) => standardColumns(true).includes(id)),
      beside,
    ),
  ).toBe(true)
  expect(fits(all, beside)).toBe(false)
})
