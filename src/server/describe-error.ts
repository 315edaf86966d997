/**
 * The codes of errors that mean that the database, or the disk below it, is unavailable: failed connections (08, socket errors), an
 * operator's shutdown or a timeout (57, 25P03, 55P03), no space or connection left (53), input and output errors (58), a read-only
 * standby (25006), conflicting transactions (40), and our own refusal for one of these.
 */
const unavailableCode =
  /^(UNAVAILABLE|ECONN\w+|ENOENT|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|ENOSPC|EDQUOT|EROFS|EIO|EMFILE|08\d{3}|53\d{3}|57[0P]\d{2}|58\d{3}|25006|25P03|40001|40P01|55P03)$/
const unavailableWords =
  /connection terminated|not queryable|timeout exceeded when trying to connect|cannot use a pool after calling end/i

/** Whether an error means that the database is unavailable. */
export function isUnavailable(code: string, message: string): boolean {
  return unavailableCode.test(code) || unavailableWords.test(message)
}

/** An error's safe parts: a database error's detail can hold a row's personal data, so it is left out. */
export function describeError(error: unknown) {
  const isObject = typeof error === 'object' && error !== null
  const code = isObject && 'code' in error ? String(error.code) : ''
  const statusCode = isObject && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null
  const message = error instanceof Error ? error.message : String(error)
  return { code, statusCode, message, stack: error instanceof Error ? error.stack : undefined }
}
