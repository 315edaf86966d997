import * as texts from '../../../texts/generated/controls.ts'
/** A text field's content and what is selected in it. */
export interface TextState {
  text: string
  start: number
  end: number
}

/** Replaces the text between `from` and `to`, then selects from `start` to `end`. */
export interface Edit {
  from: number
  to: number
  insert: string
  start: number
  end: number
}

export type Format = 'bold' | 'italic' | 'heading' | 'list' | 'numbers' | 'link'

/** What a button of the toolbar changes in the text. Pressed again, the formats other than links are taken away. */
export function formatText(state: TextState, format: Format): Edit {
  switch (format) {
    case 'bold':
      return emphasise(state, { marks: 2, example: texts.boldText() })
    case 'italic':
      return emphasise(state, { marks: 1, example: texts.italicText() })
    case 'link':
      return link(state)
    default:
      return markLines(state, format)
  }
}

/** The start of a line that says what the line is: a heading, an item of a list, a quote. */
const LINE_MARK = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6}|>)[ \t]+)*/
const WORD = /[\p{L}\p{M}\p{N}]/u

/** The selection, or the word around the caret, without spaces at its ends. */
function chosenText({ text, start, end }: TextState): { from: number; to: number } {
  let [from, to] = [start, end]
  if (from === to) {
    while (from > 0 && WORD.test(text.charAt(from - 1))) from--
    while (to < text.length && WORD.test(text.charAt(to))) to++
    return { from, to }
  }
  while (from < to && /\s/.test(text.charAt(from))) from++
  while (to > from && /\s/.test(text.charAt(to - 1))) to--
  return { from, to }
}

function emphasise(state: TextState, { marks, example }: { marks: 1 | 2; example: string }): Edit {
  const { text } = state
  let { from, to } = chosenText(state)
  // The stars beside the selection belong to it.
  for (let n = 0; n < 3 && text[from - 1] === '*' && text[to] === '*'; n++) {
    from--
    to++
  }
  if (from === to) {
    const star = '*'.repeat(marks)
    return { from, to, insert: star + example + star, start: from + marks, end: from + marks + example.length }
  }
  // Emphasis ends with its paragraph, and an item of a list is one of its own; so each line gets its own.
  const isLineStart = from === 0 || text[from - 1] === '\n'
  const lines = text
    .slice(from, to)
    .split('\n')
    .map((line, index) => splitLine(line, index > 0 || isLineStart))
  const written = lines.filter(({ words }) => words !== '')
  const isOn = written.length > 0 && written.every(({ stars }) => stars === marks || stars === 3)
  const change = ({ before, words, stars, after }: Line) => {
    if (words === '') return { before, star: '', words, after }
    const next = isOn ? stars - marks : stars === marks || stars === 3 ? stars : stars + marks
    return { before, star: '*'.repeat(next), words, after }
  }
  const changed = lines.map(change)
  const insert = changed.map(({ before, star, words, after }) => before + star + words + star + after).join('\n')
  const [first, last] = [changed[0], changed.at(-1)]
  return {
    from,
    to,
    insert,
    // Without the stars, so that what is selected stays the words.
    start: from + (first && changed.length === 1 ? first.before.length + first.star.length : 0),
    end: from + insert.length - (last && changed.length === 1 ? last.after.length + last.star.length : 0),
  }
}

interface Line {
  before: string
  words: string
  /** How many stars were around the words, at most 3. */
  stars: number
  after: string
}

function splitLine(line: string, isWhole: boolean): Line {
  const mark = isWhole ? (LINE_MARK.exec(line)?.[0] ?? '') : ''
  const rest = line.slice(mark.length)
  const inner = rest.trim()
  const at = rest.indexOf(inner)
  const around = Math.min(/^\**/.exec(inner)?.[0].length ?? 0, /\**$/.exec(inner)?.[0].length ?? 0, 3)
  const stars = inner.length > 2 * around ? around : 0
  return {
    before: mark + rest.slice(0, at),
    words: inner.slice(stars, inner.length - stars),
    stars,
    after: rest.slice(at + inner.length),
  }
}

const NO_ADDRESS = 'https://'

function link(state: TextState): Edit {
  const { from, to } = chosenText(state)
  const chosen = state.text.slice(from, to)
  if (/^(https?:\/\/|mailto:)\S+$/.test(chosen)) {
    const words = texts.linkText()
    return { from, to, insert: `[${words}](${chosen})`, start: from + 1, end: from + 1 + words.length }
  }
  const words = chosen === '' ? texts.linkText() : chosen.replace(/\s*\n\s*/g, ' ')
  const insert = `[${words}](${NO_ADDRESS})`
  // With words chosen, the address is what is missing.
  const start = chosen === '' ? from + 1 : from + words.length + 3
  return { from, to, insert, start, end: start + (chosen === '' ? words.length : NO_ADDRESS.length) }
}

const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/
const isMarked: Readonly<Record<'heading' | 'list' | 'numbers', RegExp>> = {
  heading: /^#{1,6}[ \t]/,
  list: /^[ \t]*[-*+][ \t]/,
  numbers: /^[ \t]*\d{1,9}[.)][ \t]/,
}

/** Makes the lines of the selection headings or items, or plain lines again if all of them are that already. */
function markLines({ text, start, end }: TextState, format: 'heading' | 'list' | 'numbers'): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  // A selection that ends at the start of a line does not mean that line.
  const last = end > start && text[end - 1] === '\n' ? end - 1 : end
  const newline = text.indexOf('\n', last)
  const to = newline === -1 ? text.length : newline
  const lines = text.slice(from, to).split('\n')
  const written = lines.filter((line) => line.trim() !== '')
  const isOn = written.length > 0 && written.every((line) => isMarked[format].test(line))
  let count = 0
  const marked = lines.map((line) => {
    if (line.trim() === '' && lines.length > 1) return line
    const words = line.replace(LINE_MARK, '')
    if (isOn) return words
    count++
    return { heading: '## ', list: '- ', numbers: `${count}. ` }[format] + words
  })
  const block = marked.join('\n')
  // A line that follows an item directly would become part of it.
  const next = text.slice(to + 1).split('\n', 1)[0] ?? ''
  const isFollowed = newline !== -1 && next.trim() !== '' && !ITEM.test(next)
  const insert = !isOn && format !== 'heading' && isFollowed ? `${block}\n` : block
  const isCaret = start === end
  const caret = Math.max(from, from + block.length - (to - end))
  return { from, to, insert, start: isCaret ? caret : from, end: isCaret ? caret : from + block.length }
}
