import { expect, test } from 'vitest'
import { renderDescription } from './render-description.ts'

test('Markdown becomes HTML, with links that give no weight away', () => {
  expect(renderDescription('**Hi** [there](https://a.example)')).toBe(
    '<p><strong>Hi</strong> <a rel="noopener noreferrer nofollow" target="_blank" href="https://a.example">there</a></p>',
  )
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '![x](https://tracker.example/pixel.png)',
  '<a href="https://a.example" onclick="alert(1)">x</a>',
  '[x](<https://a.example/" onmouseover="alert(1)>)',
  '<a rel="noopener noreferrer nofollow" target="_blank" href="javascript:alert(1)">x</a>',
])('nothing of %s can run or load', (text) => {
  const html = renderDescription(text)
  const tags = html.match(/<[a-z][^>]*>/gi) ?? []
  for (const tag of tags) {
    expect(tag).toMatch(/^<(p|a|strong|em|ul|ol|li|code|pre|h\d|blockquote|br|hr)\b/i)
    expect(tag).not.toMatch(/\son\w+=/i)
    expect(tag).not.toMatch(/(javascript|data):/i)
  }
})
