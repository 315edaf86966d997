import { expect, test } from 'vitest'
import { targetOf } from './target.ts'

test('a target is the route’s name and its first parameter', () => {
  const same = [
    ['/event/8/attendees?q=ana&open=3', '/event/8/attendees'],
    ['/event/8/scanner/main', '/event/8/scanner/voucher'],
    ['/club/1/event/5', '/club/1/event/6'],
    ['/club/1/event/5/success?registration_id=2', '/club/1/event/6/success'],
    ['/qr/1/aaaa', '/qr/1/bbbb?type=voucher'],
    ['/not-found/404', '/not-found/404/No%20entry'],
    ['/dashboard/admin/', '/dashboard/admin#top'],
  ] as const
  for (const [one, other] of same) expect(targetOf(one)).toBe(targetOf(other))
  const others = [
    ['/event/8/attendees', '/event/9/attendees'],
    ['/event/8/attendees', '/event/8/vouchers'],
    ['/club/1/event', '/club/1/event/5'],
    ['/club/1/event/5', '/club/1/event/5/success'],
    ['/club/1/event/5', '/club/2/event/5'],
    ['/dashboard/admin', '/dashboard/sudo'],
    ['/page/terms', '/page/privacy-policy'],
    ['/qr/1/aaaa', '/qr/2/aaaa'],
    ['/', '/signin'],
  ] as const
  for (const [one, other] of others) expect(targetOf(one)).not.toBe(targetOf(other))
})
