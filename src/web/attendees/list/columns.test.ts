import { expect, test } from 'vitest'
import { columnsFor, fits, listWidthOn, standardColumns } from './columns.ts'

const meal = {
  ...{ id: 7, eventId: 1, typeId: 1, text: 'Meal', required: false },
  options: [],
  showAtDoor: false,
  ticketTypeIds: [],
}
const ids = (known: Partial<Parameters<typeof columnsFor>[0]>) =>
  columnsFor({ hasTypes: false, hasPrice: false, hasVouchers: false, hasOrders: false, questions: [], ...known }).map(
    ({ id }) => id,
  )

test('a free event without vouchers has no columns about them; each question has one', () => {
  expect(ids({})).toEqual(['email', 'phone', 'registered', 'id', 'mail'])
  expect(ids({ hasPrice: true, hasVouchers: true }).slice(0, 2)).toEqual(['paid', 'vouchers'])
  expect(ids({ hasTypes: true, hasOrders: true }).slice(0, 2)).toEqual(['ticket', 'order'])
  expect(ids({ questions: [{ ...meal, version: 1 }] })).toContain('q7')
})

test('as many of the usual columns are shown as fit; on phones, the list is one of cards', () => {
  const shown = (screen: number, known: Partial<Parameters<typeof columnsFor>[0]> = {}) =>
    standardColumns(
      columnsFor({ hasTypes: false, hasPrice: false, hasVouchers: false, hasOrders: false, questions: [], ...known }),
      listWidthOn(screen),
    )
  const sold = { hasPrice: true, hasVouchers: true }
  expect([listWidthOn(599), listWidthOn(1280), listWidthOn(1280, 1265)]).toEqual([null, 992, 977])
  expect(shown(390, sold)).toEqual(['ticket', 'paid', 'vouchers', 'order', 'email'])
  expect(shown(600)).toEqual(['email'])
  expect(shown(820)).toEqual(['email', 'registered'])
  expect(shown(960)).toEqual(['email', 'registered', 'phone'])
  expect(shown(820, sold)).toEqual(['paid', 'vouchers'])
  expect(shown(1280, sold)).toEqual(['paid', 'vouchers', 'email', 'registered'])
  expect(shown(1440, sold)).toEqual(['paid', 'vouchers', 'email', 'registered', 'phone'])
})

test('all columns with answers do not fit beside the menu of the smallest desktop', () => {
  const questions = Array.from({ length: 4 }, (_, n) => ({ ...meal, id: n + 1, version: 1 }))
  const all = columnsFor({ hasTypes: false, hasPrice: true, hasVouchers: true, hasOrders: true, questions })
  expect(fits(all, listWidthOn(1280) ?? 0)).toBe(false)
})
