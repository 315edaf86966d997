/** A complete answer, with its body read to the end. */
export interface Answer {
  status: number
  headers: Headers
  body: unknown
}
