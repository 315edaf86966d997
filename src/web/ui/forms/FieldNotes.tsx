/** The texts below a field: error and help. The field refers to both with `describedBy`. */
export function FieldNotes({ id, help, error }: { id: string; help: string | undefined; error: string | undefined }) {
  return (
    <>
      {error && (
        <p className="error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </>
  )
}

/** The ids of a field's notes, for `aria-describedby`. */
export function describedBy(id: string, help: string | undefined, error: string | undefined): string | undefined {
  return [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ') || undefined
}
