import { memberKey } from '../../contract/club-members.ts'
import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Message } from '../../texts/language.ts'
import type { Tx } from '../db/schema.ts'
import { WrongGuess } from '../limits/guesses.ts'
import { hashOfMember } from './hash.ts'
import * as queries from './queries.ts'

/** A number or an address that was typed for a ticket for members. */
interface Typed {
  clubId: number
  eventId: number
  memberId: string
}

/** Refuses somebody who may not have a ticket for members, with the reason at the field. */
function memberRefused(path: string, msg: Message): Refusal {
  return new Refusal('NOT_A_MEMBER', { msg, fields: [{ path, msg }] })
}

/** The same where it counts as a guess. */
function wrongMember(path: string, msg: Message): WrongGuess {
  return new WrongGuess('NOT_A_MEMBER', { msg, fields: [{ path, msg }] })
}

export type Members = Awaited<ReturnType<typeof findMembers>>

/** Somebody for whom a ticket is asked. */
interface Asked {
  eventId: number
  /** Null for whoever has no ticket for members. */
  member: string | null
  type: { id: number; maxPerMember: number }
}

/** The members who are typed in the requests of a run, and how many tickets they have, counted up as they get more. The events must be locked. */
export async function findMembers(tx: Tx, typed: readonly Typed[]) {
  const lists = new Set<number>()
  const members = new Map<string, string>()
  const taken = new Map<string, number>()
  for (const clubId of new Set(typed.map((each) => each.clubId))) {
    const list = await queries.findMemberList(tx, clubId)
    if (!list || list.size === 0) continue
    lists.add(clubId)
    const own = typed.filter((each) => each.clubId === clubId)
    const hashes = new Map(
      own.flatMap(({ memberId }) => {
        const key = memberKey(memberId)
        return key === null ? [] : [[memberId, hashOfMember(list.key, key)]]
      }),
    )
    const found = await queries.findMembersByHash(tx, clubId, [...hashes.values()])
    for (const [memberId, hash] of hashes) {
      const member = found.get(hash)
      if (member !== undefined) members.set(`${clubId} ${memberId}`, member)
    }
    for (const eventId of new Set(own.map((each) => each.eventId)))
      for (const row of await queries.countMemberTickets(tx, eventId, [...new Set(found.values())]))
        taken.set(`${row.ticketTypeId} ${row.member}`, row.count)
  }
  const keyOf = ({ member, type }: Asked) => `${type.id} ${member}`
  return {
    /** The member of this number or address; or why there is none. */
    memberOf: (clubId: number, memberId: string, path: string): string | Refusal => {
      if (memberKey(memberId) === null) return memberRefused(path, texts.memberNeeded)
      const member = members.get(`${clubId} ${memberId}`)
      if (member !== undefined) return member
      // Without a list nobody can guess.
      return lists.has(clubId) ? wrongMember(path, texts.memberUnknown) : memberRefused(path, texts.memberUnknown)
    },
    /** The refusal of the first who would have more tickets than a member may; `pathOf` says where their number is in the input. */
    whyNot: (people: readonly Asked[], pathOf: (index: number) => string): Refusal | null => {
      const wanted = new Map<string, number>()
      for (const [index, person] of people.entries()) {
        if (person.member === null) continue
        const key = keyOf(person)
        const count = (wanted.get(key) ?? taken.get(key) ?? 0) + 1
        const most = person.type.maxPerMember
        // Counts as a guess, too: it tells that somebody is a member.
        if (count > most) return wrongMember(pathOf(index), () => texts.memberHasTickets({ count: most }))
        wanted.set(key, count)
      }
      return null
    },
    take: (people: readonly Asked[]): void => {
      for (const person of people)
        if (person.member !== null) taken.set(keyOf(person), (taken.get(keyOf(person)) ?? 0) + 1)
    },
  }
}
