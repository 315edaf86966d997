/** A number with its noun: `1 event`, `2 events`, `no events`. */
export function plural(count: number, one: string, many: string): string {
  if (count === 0) return `no ${many}`
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en-GB')} ${many}`
}
