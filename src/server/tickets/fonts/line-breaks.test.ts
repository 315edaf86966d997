import { expect, test } from 'vitest'
import { breakable } from './line-breaks.ts'

const parts = (text: string) => breakable(text).join('|')

test('lines break after spaces and hyphens, and marks stay with their words', () => {
  expect(parts('Bier oder Saft, 1 × Bratwurst (mit Senf)!')).toBe('Bier |oder |Saft, |1 |× |Bratwurst |(mit |Senf)!')
  expect(parts('Müller-Größe/Weiß')).toBe('Müller-|Größe/|Weiß')
  expect(parts('« Fête » d’été')).toBe('« |Fête |» |d’été')
  expect(parts('«\u00a0Fête\u00a0» d’été')).toBe('«\u00a0Fête\u00a0» |d’été')
})

test('a time, a date and an address with a hyphen before digits are whole', () => {
  expect(parts('Sonntag 06/12/2026, 18:00–12:00 MEZ, Raum A-12')).toBe(
    'Sonntag |06/12/2026, |18:00–12:00 |MEZ, |Raum |A-12',
  )
})

test('scripts without spaces break between words, but not before their marks', () => {
  expect(parts('東京の夏祭り、今日（土）。').replaceAll('|', '')).toBe('東京の夏祭り、今日（土）。')
  const found = breakable('東京の夏祭り、今日（土）。')
  expect(found.length).toBeGreaterThan(3)
  for (const part of found) expect(part).not.toMatch(/^[、。）]|（$/)
  expect(breakable('งานเทศกาลฤดูร้อน').length).toBeGreaterThan(2)
})
