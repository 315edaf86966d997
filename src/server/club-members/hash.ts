import { createHmac } from 'node:crypto'
import type { MemberKey } from '../../contract/club-members.ts'

/** The hash under which a member is kept, in hex. */
export function hashOfMember(listKey: Buffer, key: MemberKey): string {
  return createHmac('sha256', listKey).update(key).digest('hex')
}
