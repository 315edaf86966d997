import type * as z from 'zod/mini'
import type { RefusalCode } from './errors.ts'
import type { Permission } from './permissions.ts'

/**
 * Who may make a call. The server checks the role before it reads the body, and the object before it validates the rest
 * (for a `holder`, who needs a secret, after):
 * - `visitor`: anyone; a bad token counts as none.
 * - `self`: anyone signed in; with a helper pass only where `pass` says so.
 * - `sudo`: the operator.
 * - `admin`: staff of the club concerned who have the permission that the call `needs`. `club` or `event` is the path of its id in the
 *   input; another club's is 404, as is an event other than those that the caller is limited to. With `add: true` the id may be left out:
 *   then the call is about the caller's own club. `toEdit` names a further permission for an input that has an id at its path.
 * - `sudo-or-admin`: the operator for any club, staff for their own; `club` or `event` as above. With `add: true` the club's id
 *   may be left out: then the call is the operator's.
 * - `holder`: anyone who knows the secret of a ticket, a voucher or an order. `ticket`, `voucher` or `order` is the path of its id in the
 *   input; the secret is beside it as `qrUuid`, that of an order as `secret`. A wrong one is 404. Staff of the ticket's own club may leave the
 *   secret out, with the permission that `staff` names. `to` is the purpose, which selects the rate limit.
 *
 * With `fresh: true` the caller must have proved who they are within the last 15 minutes, by signing in or with `confirmIdentity`;
 * `'some'` says that only some inputs need it, which the call's own code checks. Nobody with a helper pass ever has.
 *
 * API tokens make the calls of staff that need a permission, except those with `fresh` or `noToken`, and of `self` those with `token`.
 */
export type Access =
  | { readonly who: 'visitor' }
  | { readonly who: 'self'; readonly pass?: true; readonly token?: true; readonly fresh?: Fresh }
  | { readonly who: 'sudo'; readonly fresh?: Fresh }
  | { readonly who: 'admin'; readonly club: string; readonly needs: Permission; readonly fresh?: Fresh }
  | {
      readonly who: 'admin'
      readonly event: string
      readonly needs: Permission
      /** Never with an API token: it gives others access that would outlive the token. */
      readonly noToken?: true
      /** Also with a helper pass that has ended: what was done before still counts. */
      readonly evenEnded?: true
      readonly add?: true
      readonly toEdit?: { readonly id: string; readonly needs: Permission }
    }
  | {
      readonly who: 'sudo-or-admin'
      readonly club: string
      readonly needs: Permission
      readonly add?: true
      readonly fresh?: Fresh
    }
  | { readonly who: 'sudo-or-admin'; readonly event: string; readonly needs: Permission }
  | { readonly who: 'holder'; readonly ticket: string; readonly to: HolderUse; readonly staff?: Permission }
  | { readonly who: 'holder'; readonly voucher: string; readonly to: HolderUse }
  | { readonly who: 'holder'; readonly order: string; readonly to: HolderUse }

/** Which inputs of a call need a fresh sign-in. */
type Fresh = true | 'some'

/** Whether the call can be made with an API token, if that has the permission. */
export function takesTokens(access: Access): boolean {
  if (access.who === 'sudo' || ('noToken' in access && access.noToken)) return false
  if ('fresh' in access && access.fresh !== undefined) return false
  return access.who !== 'self' || access.token === true
}

/** The purpose of a ticket or voucher holder's call. */
export type HolderUse = 'read' | 'get a file' | 'change' | 'pay'

/** One call of the API. The server's route, the web's typed call, the tests and the reference page are derived from it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: `/api/${string}`
  readonly access: Access
  /** One sentence for the reference page. */
  readonly summary: string
  /** The codes of its own refusals, besides those that follow from its method and access (`failures.ts`). */
  readonly refuses?: readonly RefusalCode[]
  readonly input: z.ZodMiniType
  readonly payload: z.ZodMiniType
  /**
   * Paths in the body at which an entity may be sent back as received (empty: the body itself; a list's path: each of its items). Its
   * read-only fields, which the input does not accept, are ignored there.
   */
  readonly sentBack?: Readonly<Record<string, z.ZodMiniObject>>
  /**
   * The call may also come as `multipart/form-data`: `file` is the name of the field with the image, the rest are text fields, and `json`,
   * if given, names the one field that holds the other input as JSON.
   */
  readonly upload?: { readonly file: string; readonly json?: string }
  /** The answer is a file of this media type, not JSON; `payload` is null. */
  readonly file?: string
  /**
   * The answer contains a ticket's secret next to text that strangers may have chosen. It is never compressed: its length would reveal how
   * much they have in common.
   */
  readonly uncompressed?: true
  /** The call may take longer than others: up to half a minute instead of a few seconds. */
  readonly slow?: true
  /** The body may have up to four megabytes, not one. */
  readonly largeBody?: true
  /** A GET that queries the bank and stores the result: it has no HEAD route. */
  readonly asksOutside?: true
  /** A GET that changes something, as the specification has it: refused for prefetches and for other sites. */
  readonly changes?: true
}

/** Input and payload as code on either side uses them: dates are `Date`, ids are numbers. */
export type Input<E extends Endpoint> = z.output<E['input']>
export type Payload<E extends Endpoint> = z.output<E['payload']>

/** The calls of one feature, by name. */
export type Api = Readonly<Record<string, Endpoint>>

/** Keeps each call's exact types while checking its shape. */
// So that a bundle without these calls leaves their schemas out.
// @__NO_SIDE_EFFECTS__
export function api<const A extends Api>(endpoints: A): A {
  return endpoints
}
