import { keysOf, shortcuts } from './shortcuts.ts'

/** The keys of a shortcut. */
export function Keys({ of: name }: { of: keyof typeof shortcuts }) {
  return (
    <>
      {keysOf(shortcuts[name]).map((key, index) => (
        <span key={key}>
          {index > 0 && ' '}
          <kbd>{key}</kbd>
        </span>
      ))}
    </>
  )
}
