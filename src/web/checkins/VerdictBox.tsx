import type { Verdict } from './verdict.ts'

const icons = { in: '✓', already: '!', refused: '✕' } as const

/** Colour, icon and word together, so that none of them is needed alone. */
export function VerdictBox({ verdict: { kind, word, name, detail } }: { verdict: Verdict }) {
  return (
    <div className={`verdict ${kind}`}>
      <strong>
        <span aria-hidden="true">{icons[kind]} </span>
        <span>{word}</span>
      </strong>
      {name && <p>{name}</p>}
      <p>{detail}</p>
    </div>
  )
}
