/** A refusal of the bank in Stripe's format: the body `{ error: { type, message, code?, param? } }` and its HTTP status. */
export class Fault extends Error {
  override name = 'Fault'
  readonly status: number
  readonly body: { error: { type: string; message: string; code?: string; param?: string } }

  constructor(
    message: string,
    { status = 400, type = 'invalid_request_error', code, param }: Partial<FaultDetails> = {},
  ) {
    super(message)
    this.status = status
    this.body = { error: { type, message, ...(code && { code }), ...(param && { param }) } }
  }
}

interface FaultDetails {
  status: number
  type: 'invalid_request_error' | 'idempotency_error' | 'api_error'
  code: string
  /** The name of the wrong parameter. */
  param: string
}

/** Stripe's refusal for an unknown id. */
export function missing(what: string, id: string, param = 'id'): Fault {
  return new Fault(`No such ${what}: '${id}'`, { status: 404, code: 'resource_missing', param })
}
