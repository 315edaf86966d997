import * as texts from '../../texts/generated/board.ts'

/** A length of time in the largest unit that fits: `4 min`, `2 h`. */
export function durationText(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return texts.lessThanAMinute()
  return minutes < 60 ? texts.minutes({ count: minutes }) : texts.hours({ count: Math.floor(minutes / 60) })
}
