import { tabStore } from '../storage.ts'

/** Keeps what a visitor typed until the registration is made, so that a reload loses nothing. Only in this tab. */
const keyOf = (eventId: number) => `registration-${eventId}`

export type Draft = Readonly<Record<string, string[]>>

export function saveDraft(eventId: number, form: HTMLFormElement): void {
  const data = new FormData(form)
  const entries = Array.from(data.keys(), (name) => [name, data.getAll(name).map(String)])
  tabStore.write(keyOf(eventId), JSON.stringify(Object.fromEntries(entries)))
}

export function readDraft(eventId: number): Draft {
  try {
    const draft: unknown = JSON.parse(tabStore.read(keyOf(eventId)) ?? '{}')
    if (typeof draft !== 'object' || draft === null) return {}
    return Object.fromEntries(
      Object.entries(draft).flatMap(([name, values]) => (Array.isArray(values) ? [[name, values.map(String)]] : [])),
    )
  } catch {
    return {}
  }
}

export function forgetDraft(eventId: number): void {
  tabStore.remove(keyOf(eventId))
}
