/**
 * What somebody in a club's team may do. Each call of the API names the one that it needs (`endpoint.ts`):
 * - `member`: what everybody in the team may do, such as listing the club's events.
 * - `door`: scan tickets and vouchers, check in by hand, and have the list of tickets on a phone.
 * - `walk-ins`: add somebody to an event.
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
  'walk-ins',
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

const permissionsByRole: Readonly<Record<TeamRole, readonly Permission[]>> = {
  owner: permissions,
  manager: ['member', 'door', 'walk-ins', 'read', 'attendees', 'export', 'events'],
  treasurer: ['member', 'read', 'export', 'money'],
  door: ['member', 'door', 'walk-ins'],
}

/** What a role may do; nothing for the operator, who is in no team. */
export function permissionsOf(role: TeamRole | null): readonly Permission[] {
  return role === null ? [] : permissionsByRole[role]
}
