import { BlockList, isIP } from 'node:net'

/** IPv4 networks that are not of the public internet (IANA's registry of special-purpose addresses). */
const special4 = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  special4.addSubnet(network, bits, 'ipv4')

/** Of IPv6 only these are given to the public internet, so addresses that wrap an IPv4 address (`::ffff:…`, `64:ff9b::…`) are not among them. */
const public6 = new BlockList()
public6.addSubnet('2000::', 3, 'ipv6')

/** Within these: protocol assignments with Teredo, documentation, and 6to4, which wraps an IPv4 address too. */
const special6 = new BlockList()
special6.addSubnet('2001::', 23, 'ipv6')
special6.addSubnet('2001:db8::', 32, 'ipv6')
special6.addSubnet('2002::', 16, 'ipv6')
special6.addSubnet('3fff::', 20, 'ipv6')

/** Whether an IP address is one of the public internet, and not of this machine or of the network around it. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special4.check(address, 'ipv4')
  return family === 6 && public6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}

/** Whether an IP address is this machine itself. */
export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}
