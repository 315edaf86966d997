import { expect, test } from 'vitest'
import { formatRound, formatShare, sayArrived, sayMissing, sayMoney, vouchersSold } from './figures.ts'

test('a share is rounded, but never to nobody or all', () => {
  expect(sayArrived(5, 22)).toBe('5 of 22 arrived (23%)')
  expect(formatShare(0, 22)).toBe('0%')
  expect(formatShare(0, 0)).toBe('0%')
  expect(formatShare(1, 1000)).toBe('1%')
  expect(formatShare(999, 1000)).toBe('99%')
  expect(formatShare(1000, 1000)).toBe('100%')
})

test('money is said by where it came from and went', () => {
  expect(sayMoney({ paid: 5000, refunded: 500, lost: 0 }, 'eur')).toBe('€50.00 paid, €5.00 refunded')
  expect(sayMoney({ paid: 0, refunded: 0, lost: 2500 }, 'eur')).toBe('€25.00 lost in disputes')
  expect(sayMoney({ paid: 0, refunded: 0, lost: 0 }, 'eur')).toBe('nothing paid')
  expect(formatRound(120_000, 'eur')).toBe('€1,200')
  expect(formatRound(120_000, 'jpy')).toBe('JP¥120,000')
})

test('whoever has not paid has no ticket yet, and no voucher', () => {
  const say = (totalRegistrationCount: number, totalCheckinCount: number, unpaidCount: number) =>
    sayMissing({ totalRegistrationCount, totalCheckinCount, unpaidCount })
  expect(say(0, 0, 0)).toBe('Nobody has a ticket yet')
  expect(say(2, 0, 2)).toBe('Nobody has a ticket yet\u00a0· 2 not paid')
  expect(say(3, 0, 2)).toBe('1 not in yet\u00a0· 2 not paid')
  expect(say(3, 1, 2)).toBe('Everybody who has paid has arrived\u00a0· 2 not paid')
  expect(say(3, 3, 0)).toBe('Everybody has arrived')
  expect(vouchersSold({ soldCount: 5, unpaidCount: 2 })).toBe(3)
})
