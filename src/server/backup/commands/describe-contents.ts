/** What is in a backup, in words for the operator. */
export function describeContents(rows: Readonly<Record<string, number>>, images: number): string {
  const counted = (name: string, one: string) => `${rows[name] ?? 0} ${one}${rows[name] === 1 ? '' : 's'}`
  const parts = [counted('clubs', 'club'), counted('events', 'event'), counted('registrations', 'registration')]
  return `${parts.join(', ')} and ${images} image file${images === 1 ? '' : 's'}`
}
