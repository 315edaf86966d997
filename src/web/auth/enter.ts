import { Refusal } from '../../contract/errors.ts'
import type { CurrentUser } from '../../contract/sign-in.ts'
import * as texts from '../../texts/generated/signIn.ts'
import { goTo, isLoadedAnew } from '../go-to.ts'
import { keepLanguage } from '../session/keep-language.ts'
import { storeSession } from '../session/session.ts'

/** Stores the session and opens the page. If the browser stores nothing, the next page would ask again: refuses with advice instead. */
export function enter(user: CurrentUser, token: string | null, path: string): void {
  const isKept = storeSession({ token: token ?? '', user })
  if (!isKept && isLoadedAnew()) throw new Refusal('NOT_ALLOWED', { msg: texts.nothingStored })
  if (keepLanguage(user.language)) goTo(path)
  else window.location.assign(path)
}
