/** What came back, read to its end. */
export interface Answer {
  status: number
  headers: Headers
  body: unknown
}
