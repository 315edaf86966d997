import { isIP } from 'node:net'

/** A network that is counted as one visitor; `wide` networks hold many of the narrow ones and are allowed more. */
export interface Network {
  name: string
  isWide: boolean
}

/**
 * The networks to count for an address: an IPv4 address itself, for IPv6 its /64, which is one household or phone, and its
 * /48, which is one customer of a provider. An IPv4 address written as IPv6 is the IPv4 address.
 */
export function networksOf(address: string): Network[] {
  // Some proxies write the port behind the address.
  const plain = address
    .replace(/%.*$/, '')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
  if (isIP(plain) !== 6) return [{ name: plain, isWide: false }]
  const groups = groupsOf(plain)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) {
    const [high = 0, low = 0] = groups.slice(6)
    return [{ name: [high >> 8, high & 255, low >> 8, low & 255].join('.'), isWide: false }]
  }
  const start = (count: number) =>
    groups
      .slice(0, count)
      .map((group) => group.toString(16))
      .join(':')
  return [
    { name: `${start(4)}::/64`, isWide: false },
    { name: `${start(3)}::/48`, isWide: true },
  ]
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // URL writes any form of the address in one way: hexadecimal, with at most one `::`.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const read = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  if (tail === undefined) return read(head)
  const [before, after] = [read(head), read(tail)]
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
}
