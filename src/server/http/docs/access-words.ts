import { type Access, type Endpoint, takesTokens } from '../../../contract/endpoint.ts'

/** Who may make the call, and what a role in the club's team must allow. */
export function accessText({ access }: Pick<Endpoint, 'access'>): string {
  const needs = 'needs' in access ? `Needs the permission \`${access.needs}\`.` : ''
  const toEdit = 'toEdit' in access && access.toEdit ? `Editing needs \`${access.toEdit.needs}\`.` : ''
  const staff = access.who === 'holder' && 'staff' in access && access.staff ? `Staff need \`${access.staff}\`.` : ''
  const tokens = takesTokens(access) ? '' : 'Not with an API token.'
  return [whoMay(access), needs, toEdit, staff, tokens].filter(Boolean).join(' ')
}

function whoMay(access: Access): string {
  switch (access.who) {
    case 'visitor':
      return 'Anyone.'
    case 'self':
      return 'Anyone signed in.'
    case 'sudo':
      return 'The operator (sudo).'
    case 'sudo-or-admin':
      return 'The operator (sudo), or an admin of the club.'
    case 'holder':
      return holderOf(access)
    default:
      return 'An admin of the club.'
  }
}

function holderOf(access: Extract<Access, { who: 'holder' }>): string {
  if ('voucher' in access) return "Whoever knows the voucher's `qrUuid`."
  if ('order' in access) return "Whoever knows the order's `secret`."
  return access.staff
    ? "Whoever knows the ticket's `qrUuid`; staff of its club may leave it out."
    : "Whoever knows the ticket's `qrUuid`."
}
