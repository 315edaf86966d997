import { expect, test } from 'vitest'
import { foldText } from './fold-text.ts'

test('text is folded without case and accents, in any script', () => {
  expect(foldText('José Łukasz Ærø STRAßE')).toBe('jose lukasz aero strasse')
  expect(foldText('Ａｄａ')).toBe('ada')
  expect(foldText('山田 Ёлка')).toBe('山田 елка')
})
