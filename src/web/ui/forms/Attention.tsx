import { plural } from '../plural.ts'

/** Says above a form how many of its fields are invalid; renders nothing when all are valid. */
export function Attention({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <p className="problem" role="alert">
      {plural(count, 'field needs', 'fields need')} your attention.
    </p>
  )
}
