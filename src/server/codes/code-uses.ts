import { Refusal } from '../../contract/errors.ts'
import { formatDate, formatTime } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Message } from '../../texts/language.ts'
import type { CodeRow, EventRow } from '../db/schema.ts'
import { WrongGuess } from '../limits/guesses.ts'

/** Refuses a code, with the reason at its field. */
export function codeRefused(msg: Message, payload?: { left: number }): Refusal {
  return new Refusal('CODE_NOT_VALID', { msg, payload, fields: [{ path: 'code', msg }] })
}

/** The refusal of a code that does not exist: the only one that counts as a guess. */
export function unknownCode(): WrongGuess {
  return new WrongGuess('CODE_NOT_VALID', {
    msg: texts.codeUnknown,
    fields: [{ path: 'code', msg: texts.codeUnknown }],
  })
}

/** Why nobody can use a code now, by its times and its uses; null while somebody can. */
export function whyNotUsable(
  { opensAt, closesAt, maxUses, usedCount }: Pick<CodeRow, 'opensAt' | 'closesAt' | 'maxUses' | 'usedCount'>,
  { timeZone }: Pick<EventRow, 'timeZone'>,
  now: Date,
): Refusal | null {
  if (opensAt && now < opensAt) {
    const at = { date: formatDate(opensAt, timeZone), time: formatTime(opensAt, timeZone) }
    return codeRefused(() => texts.codeNotYet(at))
  }
  if (closesAt && now >= closesAt) return codeRefused(texts.codeOver)
  return maxUses !== null && usedCount >= maxUses ? codeRefused(texts.codeUsedUp, { left: 0 }) : null
}

export type CodeUses = ReturnType<typeof usesOf>

/** How often each of these codes can still be used, counted down as they are; it cannot change while the events' rows are locked. */
export function usesOf(codes: readonly CodeRow[]) {
  const left = new Map(
    codes.flatMap(({ id, maxUses, usedCount }) => (maxUses === null ? [] : [[id, maxUses - usedCount]])),
  )
  const usesIn = (people: readonly WithCode[], id: number) => people.filter(({ codeId }) => codeId === id).length
  return {
    /** Whether a code can only be used so many times. */
    isLimited: (codeId: number | null) => codeId !== null && left.has(codeId),
    /** The refusal when their code cannot be used for all of them; null when it can. */
    whyNot: (people: readonly WithCode[]): Refusal | null => {
      const id = people.find(({ codeId }) => codeId !== null)?.codeId ?? null
      const count = id === null ? undefined : left.get(id)
      if (id === null || count === undefined || usesIn(people, id) <= count) return null
      const most = Math.max(0, count)
      return most === 0
        ? codeRefused(texts.codeUsedUp, { left: 0 })
        : codeRefused(() => texts.codeLeftFor({ count: most }), { left: most })
    },
    take: (people: readonly WithCode[]): void => {
      for (const { codeId } of people) {
        const count = codeId === null ? undefined : left.get(codeId)
        if (codeId !== null && count !== undefined) left.set(codeId, count - 1)
      }
    },
  }
}

interface WithCode {
  codeId: number | null
}
