/** What is lost with an event that is removed, by the number of its registrations. */
export function wordsOnRemoval(count: number): string {
  if (count === 0) return 'Nobody is registered. It cannot be undone.'
  const lost =
    count === 1
      ? 'Its only registration is removed too, with its answers, ticket and check-in.'
      : `Its ${count.toLocaleString('en-GB')} registrations are removed too, with their answers, tickets and check-ins.`
  return `${lost} It cannot be undone, and nobody is told by mail: cancel the event first if people count on it.`
}

/** What happens to the registrations of an event that is cancelled, by their number. */
export function wordsOnCancelling(count: number): string {
  if (count === 0) return 'Registration closes for good. Nobody is registered.'
  const told =
    count === 1
      ? 'the one person who is registered is told by mail'
      : `all ${count.toLocaleString('en-GB')} who are registered are told by mail`
  return `Registration closes for good, and ${told}. Whoever has paid gets the money back.`
}
