import { expect, test } from 'vitest'
import { currenciesWith, timeZonesWith } from './choices.ts'

test('the stored value can be chosen, known to this browser or not, and is listed once', () => {
  for (const zone of ['Europe/Berlin', 'Asia/Kolkata', 'Europe/Kyiv', 'Mars/Olympus'])
    expect(timeZonesWith(zone).filter((each) => each === zone)).toEqual([zone])
  for (const currency of ['eur', 'zzz'])
    expect(currenciesWith(currency).filter(({ value }) => value === currency)).toHaveLength(1)
})
