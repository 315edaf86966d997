/** The numbers and codes in a text, each once: they are separated by spaces, commas, semicolons or new lines. */
export function splitCodes(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((code) => code !== ''))]
}
