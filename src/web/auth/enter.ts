import type { CurrentUser } from '../../contract/auth.ts'
import { Refusal } from '../../contract/errors.ts'
import { goTo, isLoadedAnew } from '../go-to.ts'
import { storeSession } from '../session/session.ts'

/** Keeps who has signed in and opens their page. A browser that keeps nothing would ask again there: refuses with what to do. */
export function enter(user: CurrentUser, token: string | null, path: string): void {
  const isKept = storeSession({ token: token ?? '', user })
  if (!isKept && isLoadedAnew())
    throw new Refusal('NOT_ALLOWED', {
      msg: 'This browser keeps nothing for this site, so you would be signed out again at once. Please allow it to store data here.',
    })
  goTo(path)
}
