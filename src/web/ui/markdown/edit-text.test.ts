import { describe, expect, test } from 'vitest'
import { type Format, formatText, type TextState } from './edit-text.ts'

/** `[` and `]` in angle quotes stand for the selection: `a ‹b› c`; a caret is `‹›`. */
function read(marked: string): TextState {
  const start = marked.indexOf('‹')
  const text = marked.replace('‹', '').replace('›', '')
  return { text, start, end: marked.indexOf('›') - 1 }
}

function write(state: TextState, format: Format): string {
  const { from, to, insert, start, end } = formatText(state, format)
  const text = state.text.slice(0, from) + insert + state.text.slice(to)
  return `${text.slice(0, start)}‹${text.slice(start, end)}›${text.slice(end)}`
}

describe.each<[Format, [before: string, after: string][]]>([
  [
    'bold',
    [
      ['Bring ‹boots› please', 'Bring **‹boots›** please'],
      ['Bring‹ boots ›please', 'Bring **‹boots›** please'],
      // Again, whether the stars are selected or not.
      ['Bring **‹boots›** please', 'Bring ‹boots› please'],
      ['Bring ‹**boots**› please', 'Bring ‹boots› please'],
      ['Bring *‹boots›* please', 'Bring ***‹boots›*** please'],
      ['Bring ***‹boots›*** please', 'Bring *‹boots›* please'],
      // Nothing selected: the word at the caret, or an example to type over.
      ['Bring bo‹›ots please', 'Bring **‹boots›** please'],
      ['‹›', '**‹bold text›**'],
      ['Bring ‹› please', 'Bring **‹bold text›** please'],
      // Letters of all scripts.
      ['Žlu‹›ťoučký', '**‹Žluťoučký›**'],
      // Emphasis cannot span items or paragraphs.
      ['‹- a\n- b\n\nc›', '‹- **a**\n- **b**\n\n**c**›'],
      ['‹- **a**\n- b›', '‹- **a**\n- **b**›'],
      ['‹- **a**\n- **b**›', '‹- a\n- b›'],
      ['‹1. a›', '1. **‹a›**'],
      ['x ‹- a›', 'x **‹- a›**'],
    ],
  ],
  [
    'italic',
    [
      ['‹a›', '*‹a›*'],
      ['*‹a›*', '‹a›'],
      ['**‹a›**', '***‹a›***'],
      ['***‹a›***', '**‹a›**'],
      ['‹›', '*‹italic text›*'],
    ],
  ],
  [
    'heading',
    [
      ['Pro‹›gramme', '## Pro‹›gramme'],
      ['## Pro‹›gramme', 'Pro‹›gramme'],
      ['#### ‹Programme›', '‹Programme›'],
      ['- Pro‹›gramme', '## Pro‹›gramme'],
      ['a\n‹b\nc›\nd', 'a\n‹## b\n## c›\nd'],
      ['‹›', '## ‹›'],
    ],
  ],
  [
    'list',
    [
      ['‹a\nb›', '‹- a\n- b›'],
      ['‹- a\n* b›', '‹a\nb›'],
      ['‹a\n- b›', '‹- a\n- b›'],
      ['‹1. a\n2. b›', '‹- a\n- b›'],
      ['‹a\n\nb›', '‹- a\n\n- b›'],
      // The line after the selection is not part of it.
      ['‹a\n›b', '‹- a›\n\nb'],
      // It would be drawn into the list without an empty line; another item belongs to it.
      ['‹a›\nb', '‹- a›\n\nb'],
      ['‹a›\n- b', '‹- a›\n- b'],
      ['‹›', '- ‹›'],
      ['a\n‹›\nb', 'a\n- ‹›\n\nb'],
    ],
  ],
  [
    'numbers',
    [
      ['‹a\nb\nc›', '‹1. a\n2. b\n3. c›'],
      ['‹1. a\n2) b›', '‹a\nb›'],
      ['‹- a\n- b›', '‹1. a\n2. b›'],
    ],
  ],
  [
    'link',
    [
      ['See ‹our page› now', 'See [our page](‹https://›) now'],
      ['See ‹https://a.example› now', 'See [‹link text›](https://a.example) now'],
      ['See ‹›', 'See [‹link text›](https://)'],
      ['See pa‹›ge', 'See [page](‹https://›)'],
      ['‹two\nlines›', '[two lines](‹https://›)'],
    ],
  ],
])('%s', (format, cases) => {
  test.each(cases)('%j becomes %j', (before, after) => {
    expect(write(read(before), format)).toBe(after)
  })
})
