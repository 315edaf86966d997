import { Fault } from './fault.ts'

/** The fields of a form or a query by their full names, such as `line_items[0][quantity]`. */
export type Form = ReadonlyMap<string, string>

/** Reads `a[b][0]=c&d=e`. */
export function readForm(text: string): Form {
  return new Map(new URLSearchParams(text))
}

/** A field that may be left out, but not empty. */
export function textOf(form: Form, name: string): string | null {
  const text = form.get(name)
  if (text === '')
    throw new Fault(`You passed an empty string for '${name}'.`, { code: 'parameter_invalid_empty', param: name })
  return text ?? null
}

/** A required field. */
export function requiredText(form: Form, name: string): string {
  const text = textOf(form, name)
  if (text === null)
    throw new Fault(`Missing required param: ${name}.`, { code: 'parameter_missing', param: baseOf(name) })
  return text
}

/** A whole number of at least `least`. */
export function requiredInteger(form: Form, name: string, least: number): number {
  const text = requiredText(form, name)
  if (!/^-?\d{1,15}$/.test(text))
    throw new Fault(`Invalid integer: ${text}`, { code: 'parameter_invalid_integer', param: name })
  const value = Number(text)
  if (value < least)
    throw new Fault(`This value must be greater than or equal to ${least}.`, {
      code: 'parameter_invalid_integer',
      param: name,
    })
  return value
}

/** Like `requiredInteger`, for a field that may be left out. */
export function integerOf(form: Form, name: string, least: number): number | null {
  return form.has(name) ? requiredInteger(form, name, least) : null
}

/** One of the given words; the first when the field is left out. */
export function wordOf<W extends string>(form: Form, name: string, words: readonly [W, ...W[]]): W {
  const text = textOf(form, name)
  if (text === null) return words[0]
  const word = words.find((known) => known === text)
  if (!word) throw new Fault(`Invalid ${name}: must be one of ${words.join(', ')}`, { param: name })
  return word
}

/** An absolute http address. */
export function addressOf(form: Form, name: string): string | null {
  const text = textOf(form, name)
  if (text !== null && !(/^https?:\/\//.test(text) && URL.canParse(text)))
    throw new Fault('Not a valid URL', { code: 'url_invalid', param: name })
  return text
}

/** The pairs below `name`, within Stripe's limits. An empty value means no such pair. */
export function metadataOf(form: Form, name = 'metadata'): Record<string, string> {
  const pairs: [string, string][] = []
  for (const [field, value] of form) {
    if (!field.startsWith(`${name}[`) || !field.endsWith(']') || value === '') continue
    const key = field.slice(name.length + 1, -1)
    if (key.length > 40) throw new Fault('Metadata keys can have up to 40 characters.', { param: name })
    if (value.length > 500) throw new Fault('Metadata values can have up to 500 characters.', { param: name })
    pairs.push([key, value])
  }
  if (pairs.length > 50) throw new Fault('Metadata can have up to 50 keys.', { param: name })
  return Object.fromEntries(pairs)
}

/** Refuses every field whose base name is not among the known ones, as Stripe does. */
export function allowOnly(form: Form, known: readonly string[]): void {
  for (const name of form.keys()) {
    const word = baseOf(name)
    // It would have to return whole objects in place of ids, and ignoring it would look like a bug of the caller.
    if (word === 'expand') throw new Fault('The test bank cannot expand objects.', { param: 'expand' })
    if (!known.includes(word))
      throw new Fault(`Received unknown parameter: ${word}`, { code: 'parameter_unknown', param: word })
  }
}

function baseOf(name: string): string {
  return name.split('[', 1).join('')
}
