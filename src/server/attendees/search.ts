import { foldText } from '../../contract/values/fold-text.ts'
import type { RegistrationRow } from '../db/schema.ts'
import { searchTextOf } from '../places/place-queries.ts'

/** What a search asks for: every word, or the whole as a phone number. */
export interface Search {
  /** Without case and accents; with its digits where it may be part of a phone number. */
  words: readonly { text: string; digits: string | null }[]
  /** The digits of a phone number, without leading zeros; null for another search. */
  phone: string | null
}

export function parseSearch(keyword: string): Search {
  const words = foldText(keyword)
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((text) => {
      // However a phone number is written, only its digits are stored for searching.
      const digits = text.replace(/\D/g, '')
      return { text, digits: /^[+()\d./-]+$/.test(text) && digits.length >= 3 ? digits : null }
    })
  const phone = keyword.replace(/\D/g, '').replace(/^0+/, '')
  return { words, phone: /^[+()\d\s./-]+$/.test(keyword) && phone.length >= 4 ? phone : null }
}

/** Whether a search finds a person, as `matchesPerson` does for registrations. */
export function findsPerson(
  { words, phone }: Search,
  person: Pick<RegistrationRow, 'name' | 'email' | 'phone'>,
): boolean {
  const text = searchTextOf(person)
  const has = (word: Search['words'][number]) =>
    text.includes(word.text) || (word.digits !== null && text.includes(word.digits))
  return words.length > 0 && (words.every(has) || (phone !== null && text.includes(phone)))
}
