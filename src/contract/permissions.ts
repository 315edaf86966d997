/**
 * What somebody in a club's team may do. Each call of the API names the one that it needs (`endpoint.ts`):
 * - `member`: what everybody in the team may do, such as listing the club's events.
 * - `door`: have the list of tickets on a phone, and send what was done with it.
 * - `tickets`: check tickets in by their code.
 * - `redeem`: redeem vouchers.
 * - `search`: find people by name, and check them in by hand.
 * - `walk-ins`: add somebody to an event.
 * - `take-money`: take the money for unpaid tickets at the door, which lets their holders in.
 * - `paper`: save the list of attendees for paper.
 * - `read`: read attendees, statistics, vouchers sold and alerts.
 * - `attendees`: correct, cancel and remove registrations, and send tickets.
 * - `export`: save the attendees as a spreadsheet.
 * - `events`: add, edit, cancel and remove events with their forms, vouchers and translations.
 * - `money`: refund payments.
 * - `club`: change the club's settings.
 * - `team`: invite people, change their roles and remove them.
 */
export const permissions = [
  'member',
  'door',
  'tickets',
  'redeem',
  'search',
  'walk-ins',
  'take-money',
  'paper',
  'read',
  'attendees',
  'export',
  'events',
  'money',
  'club',
  'team',
] as const
export type Permission = (typeof permissions)[number]

/** The roles of a club's team. All of them are `admin` as the `role` of a user. */
export const teamRoles = ['owner', 'manager', 'treasurer', 'door'] as const
export type TeamRole = (typeof teamRoles)[number]

/** What a helper pass can allow; each pass has some of them. */
export const passAbilities = [
  'tickets',
  'redeem',
  'search',
  'walk-ins',
  'take-money',
] as const satisfies readonly Permission[]
export type PassAbility = (typeof passAbilities)[number]

/** What is done at the door, but for money: who may take it is somebody's explicit choice. */
const atTheDoor: readonly Permission[] = ['member', 'door', 'tickets', 'redeem', 'search', 'walk-ins', 'paper']

const permissionsByRole: Readonly<Record<TeamRole, readonly Permission[]>> = {
  owner: permissions,
  manager: [...atTheDoor, 'take-money', 'read', 'attendees', 'export', 'events'],
  treasurer: ['member', 'take-money', 'read', 'export', 'money'],
  door: atTheDoor,
}

/** What a role may do; nothing for the operator, who is in no team. */
export function permissionsOf(role: TeamRole | null): readonly Permission[] {
  return role === null ? [] : permissionsByRole[role]
}

/** What a helper pass allows: the scanner, with these abilities. */
export function permissionsOfPass(abilities: readonly PassAbility[]): readonly Permission[] {
  return ['door', ...abilities]
}
