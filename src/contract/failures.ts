import { type Access, type Endpoint, takesTokens } from './endpoint.ts'
import type { RefusalCode } from './errors.ts'

/** Any call can be answered with these. */
const always: readonly RefusalCode[] = ['INVALID_INPUT', 'TOO_MANY_TRIES', 'INTERNAL', 'UNAVAILABLE']
/** What can be wrong with a body. */
const withBody: readonly RefusalCode[] = ['NOT_READABLE', 'XSRF', 'TOO_LARGE', 'WRONG_MEDIA_TYPE']

/** Every code with which a call can be refused: what follows from its method and access, and what it `refuses` itself. */
export function failuresOf({ method, access, refuses = [], changes }: Endpoint): RefusalCode[] {
  const isPublic = access.who === 'visitor' || access.who === 'holder'
  const codes = [
    ...always,
    ...(method === 'POST' ? withBody : []),
    ...(isPublic ? [] : (['SIGN_IN_NEEDED', 'NOT_ALLOWED'] as const)),
    ...(changes ? (['NOT_ALLOWED'] as const) : []),
    ...(isPublic || access.who === 'self' ? [] : (['SET_UP_SECOND_FACTOR'] as const)),
    ...(takesTokens(access) ? [] : (['NOT_FOR_TOKENS'] as const)),
    ...('fresh' in access && access.fresh ? (['CONFIRM_IDENTITY'] as const) : []),
    ...(namesObject(access) ? (['NOT_FOUND'] as const) : []),
    ...(access.who === 'holder' && 'ticket' in access ? (['TICKET_HANDED_ON'] as const) : []),
    ...refuses,
  ]
  return [...new Set(codes)].sort()
}

/** Whether the input names something that may not be there, or belong to others. */
function namesObject(access: Access): boolean {
  return 'club' in access || 'event' in access || access.who === 'holder'
}
