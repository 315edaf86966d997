import * as z from 'zod/mini'
import * as fieldTexts from '../texts/generated/fields.ts'
import * as texts from '../texts/generated/memberInput.ts'
import { api } from './endpoint.ts'
import { email, id, idText, line, moment } from './values/fields.ts'

/** How many members the list of a club may have. */
export const MOST_MEMBERS = 20_000

/** A member as the club's list names them: by a number, an e-mail address, or both. */
const member = z.strictObject({
  number: z._default(line(60), ''),
  email: z._default(z.union([email, z.literal('')], { error: fieldTexts.emailLike }), ''),
})
export type Member = z.output<typeof member>

/** What is known of a club's list of members: who is on it is not. */
const memberList = z.object({
  /** How many members are on it. */
  size: z.int(),
  uploadedAt: moment,
})
export type MemberList = z.output<typeof memberList>

export const clubMemberApi = api({
  getMemberList: {
    method: 'GET',
    path: '/api/club/getMemberList',
    access: { who: 'admin', club: 'clubId', needs: 'read' },
    summary: 'How many members the list of the club has, and since when; null where there is none.',
    input: z.strictObject({ clubId: idText }),
    payload: z.nullable(memberList),
  },
  saveMembers: {
    method: 'POST',
    path: '/api/club/saveMembers',
    access: { who: 'admin', club: 'payload.clubId', needs: 'club' },
    largeBody: true,
    slow: true,
    summary:
      'Replace the list of members, all at once. Only keyed hashes of the numbers and addresses are kept; an empty list removes it.',
    input: z.strictObject({
      payload: z.strictObject({
        clubId: id,
        members: z
          .array(member)
          .check(z.maxLength(MOST_MEMBERS, { error: () => texts.mostMembers({ most: MOST_MEMBERS }) })),
      }),
    }),
    payload: z.nullable(memberList),
  },
})

/** By what a member is recognized: an e-mail address, or a number. */
export type MemberKey = `email:${string}` | `number:${string}`

/**
 * A member number or an address as it is compared: without case and spaces, and without zeros in front, which spreadsheets lose. Null for
 * nothing.
 */
export function memberKey(typed: string): MemberKey | null {
  // Pasted text has invisible characters and hyphens of all kinds.
  const text = typed
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Cf}]/gu, '')
    .replace(/\p{Pd}/gu, '-')
  if (text === '') return null
  if (text.includes('@')) return `email:${text}`
  return `number:${/^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text}`
}
