/** A statement of which nothing was heard in time: whether it was carried out is not known. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  readonly code = 'ETIMEDOUT'
  constructor(ms: number) {
    super(`The database did not answer within ${ms} ms.`)
  }
}
