import { expect, test } from 'vitest'
import { networksOf } from './networks.ts'

const names = (address: string) => networksOf(address).map(({ name }) => name)

test('an IPv4 address is a network of its own, also when it is written as IPv6', () => {
  expect(names('203.0.113.7')).toEqual(['203.0.113.7'])
  expect(names('::ffff:203.0.113.7')).toEqual(['203.0.113.7'])
  expect(names('::FFFF:cb00:7107')).toEqual(['203.0.113.7'])
})

test('an IPv6 address counts as its /64 and, with a larger allowance, as its /48', () => {
  expect(networksOf('2001:db8:1:2:3:4:5:6')).toEqual([
    { name: '2001:db8:1:2::/64', isWide: false },
    { name: '2001:db8:1::/48', isWide: true },
  ])
  expect(names('2001:0db8:1:2::9')).toEqual(names('2001:db8:1:2:ffff::1'))
  expect(names('2001:db8::1')).toEqual(['2001:db8:0:0::/64', '2001:db8:0::/48'])
  expect(names('::1')).toEqual(['0:0:0:0::/64', '0:0:0::/48'])
  expect(names('fe80::1%eth0')).toEqual(['fe80:0:0:0::/64', 'fe80:0:0::/48'])
})

test('a port behind the address belongs to no network', () => {
  expect(names('203.0.113.7:51234')).toEqual(['203.0.113.7'])
  expect(names('[2001:db8::1]:443')).toEqual(names('2001:db8::1'))
})

test('what is no address is counted as it is', () => {
  expect(names('unknown')).toEqual(['unknown'])
})
