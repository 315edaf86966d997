/** Whether the database refused a row because of this unique constraint or index. */
export function isConflict(error: unknown, constraint: string): boolean {
  return violatedConstraint(error, '23505') === constraint
}

/** Whether the database refused a row because of this check constraint. */
export function isCheckViolation(error: unknown, constraint: string): boolean {
  return violatedConstraint(error, '23514') === constraint
}

function violatedConstraint(error: unknown, sqlState: string): string | null {
  if (typeof error !== 'object' || error === null) return null
  if (!('code' in error) || error.code !== sqlState) return null
  return 'constraint' in error ? String(error.constraint) : null
}

/** Whether an error is about the values of a statement (data or a constraint), so that other rows might pass. */
export function isAboutValues(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && /^2[23]...$/.test(String(error.code))
}
