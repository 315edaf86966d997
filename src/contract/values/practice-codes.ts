/** What each practice code stands for: the verdicts of a night at the door. */
export const practiceKinds = ['valid', 'already', 'cancelled', 'unpaid', 'other', 'voucher', 'unknown'] as const
export type PracticeKind = (typeof practiceKinds)[number]

/** Only what a QR code holds in its small alphabet, so that the code is easy to read. It is no address: no phone opens anything with it. */
const BEGINNING = 'TURNOUT-PRACTICE-'

/** The text in the QR code of a practice code. */
export function practiceCode(kind: PracticeKind): string {
  return BEGINNING + kind.toUpperCase()
}

/** Reads what a scanner saw; null when it is not a practice code. No ticket or voucher can be read as one. */
export function readPracticeCode(text: string): PracticeKind | null {
  const read = text.trim().toUpperCase()
  return practiceKinds.find((kind) => practiceCode(kind) === read) ?? null
}
