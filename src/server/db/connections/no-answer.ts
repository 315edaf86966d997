/** A statement that was not answered in time: whether it was carried out is unknown. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  readonly code = 'ETIMEDOUT'
  constructor(ms: number) {
    super(`The database did not answer within ${ms} ms.`)
  }
}
