import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Colour, contrast, darkColours, isColour, lightColours } from './colours.ts'

const colours = fc.integer({ min: 0, max: 0xffffff }).map((value): Colour => `#${value.toString(16).padStart(6, '0')}`)

test('whatever colour a club chooses, text on its pages can be read in light and dark', () => {
  fc.assert(
    fc.property(colours, (colour) => {
      const [light, dark] = [lightColours(colour), darkColours(colour)]
      for (const { primary, secondary, tertiary, hover, soft, ...rest } of [light, dark]) {
        expect(contrast('#ffffff', primary)).toBeGreaterThanOrEqual(4.5)
        expect(contrast('#ffffff', rest['primary-dark'])).toBeGreaterThanOrEqual(4.5)
        expect(contrast(rest['tertiary-ink'], tertiary)).toBeGreaterThanOrEqual(4.5)
        for (const ground of [hover, soft, rest['soft-hover']])
          expect(contrast(secondary, ground)).toBeGreaterThanOrEqual(4.5)
      }
      // On the page itself and on cards.
      for (const ground of ['#ffffff', '#f6f6fc'] as const)
        expect(contrast(light.secondary, ground)).toBeGreaterThanOrEqual(4.5)
      for (const ground of ['#12121c', '#1d1d2c'] as const)
        expect(contrast(dark.secondary, ground)).toBeGreaterThanOrEqual(4.5)
      // A button can be told from the card that it is on.
      expect(contrast(dark.primary, '#1d1d2c')).toBeGreaterThanOrEqual(2)
    }),
    // In the dark scheme one of this colour's backgrounds is lighter than both the card and `hover`.
    { examples: [['#1b1a44']] },
  )
})

test('a colour that can be read as it is stays as it is', () => {
  expect(lightColours('#1b5e20').primary).toBe('#1b5e20')
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
})

test('only colours as clubs choose them are colours', () => {
  expect(['#1b5e20', '#1B5E20', '1b5e20', '#fff', ''].map(isColour)).toEqual([true, false, false, false, false])
})
