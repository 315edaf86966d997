/** The texts below a field: help and error. The field refers to both with `describedBy`. */
export function FieldNotes({ id, help, error }: { id: string; help: string | undefined; error: string | undefined }) {
  return (
    <>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  )
}

/** The ids of a field's notes, for `aria-describedby`. */
export function describedBy(id: string, help: string | undefined, error: string | undefined): string | undefined {
  return [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined
}
