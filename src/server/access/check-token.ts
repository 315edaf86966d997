import { type Access, takesTokens } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import { type Caller, may } from './caller.ts'

/** Refuses what API tokens never may, whoever they act for, and what this one does not allow. */
export function checkToken(access: Access, caller: Caller): void {
  if (!takesTokens(access)) {
    const isFresh = 'fresh' in access && access.fresh !== undefined
    throw new Refusal('NOT_FOR_TOKENS', isFresh ? { msg: texts.tokenNeverFresh } : {})
  }
  if (!('needs' in access) || (caller.role === 'admin' && may(caller, access.needs))) return
  const permission = access.needs
  throw new Refusal('NOT_ALLOWED', { msg: () => texts.tokenLacks({ permission }) })
}
