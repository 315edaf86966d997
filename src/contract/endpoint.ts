import type * as z from 'zod/mini'

/**
 * Who may make a call. The server looks at the role before it reads the body, and at the object before it judges the rest
 * (of a holder, who is asked for a secret, after):
 * - `visitor`: anyone; a bad token counts as none.
 * - `self`: anyone signed in.
 * - `sudo`: the operator.
 * - `admin`: staff of the club concerned. `club` or `event` says where in the input its id stands; another club's is 404.
 *   With `add: true` the id may be left out: then the call is about the caller's own club.
 * - `sudo-or-admin`: the operator for any club, staff for their own; `club` or `event` as above. With `add: true` the club's id
 *   may be left out: then the call is the operator's.
 * - `holder`: whoever knows the secret of a ticket or of a voucher. `ticket` or `voucher` says where in the input its id stands;
 *   the secret stands beside it as `qrUuid`. A wrong one is 404. With `staff: true` staff of the ticket's own club may leave the
 *   secret out. `to` says what for, which decides how often.
 */
export type Access =
  | { readonly who: 'visitor' }
  | { readonly who: 'self' }
  | { readonly who: 'sudo' }
  | { readonly who: 'admin'; readonly club: string }
  | { readonly who: 'admin'; readonly event: string; readonly add?: true }
  | { readonly who: 'sudo-or-admin'; readonly club: string; readonly add?: true }
  | { readonly who: 'sudo-or-admin'; readonly event: string }
  | { readonly who: 'holder'; readonly ticket: string; readonly to: HolderUse; readonly staff?: true }
  | { readonly who: 'holder'; readonly voucher: string; readonly to: HolderUse }

/** What whoever holds a ticket or a voucher does with it. */
export type HolderUse = 'read' | 'get a file' | 'change' | 'pay'

/** One call of the API. The server's route, the web's typed call, the tests and the reference page are derived from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: `/api/${string}`
  readonly access: Access
  /** One sentence for the reference page. */
  readonly summary: string
  readonly input: z.ZodMiniType
  readonly payload: z.ZodMiniType
  /**
   * Where in the body an entity may be sent back as it was answered (empty: the body itself; a list's place: each of the list). What
   * of it the input does not take, its read-only fields, is ignored there.
   */
  readonly sentBack?: Readonly<Record<string, z.ZodMiniObject>>
  /**
   * The call may also come as `multipart/form-data`, with one image under this name and the rest as text fields: `file` is
   * that name, and `json` that of the one field that holds the other input as JSON, where there is one.
   */
  readonly upload?: { readonly file: string; readonly json?: string }
  /** The answer is a file of this media type, not JSON; `payload` is null. */
  readonly file?: string
  /**
   * The answer holds a ticket's secret beside words that strangers may have chosen, and is never compressed: its length must not tell how
   * much they have in common.
   */
  readonly uncompressed?: true
  /** The call may take longer than others: up to half a minute instead of a few seconds. */
  readonly slow?: true
  /** A GET that asks the bank, and keeps what it says: no HEAD is answered for it. */
  readonly asksOutside?: true
  /** A GET that changes something, by the specification: refused to prefetches and to other sites. */
  readonly changes?: true
}

/** What code on either side handles: dates are `Date`, ids are numbers. */
export type Input<E extends Endpoint> = z.output<E['input']>
export type Payload<E extends Endpoint> = z.output<E['payload']>

/** The calls of one feature, by name. */
export type Api = Readonly<Record<string, Endpoint>>

/** Keeps each call's exact types while checking its shape. */
export function api<const A extends Api>(endpoints: A): A {
  return endpoints
}
