import { createHash } from 'node:crypto'

/** PDFs by what they show. The least recently used go when all together are larger than `mostBytes`. */
export function makePdfCache(mostBytes: number) {
  // A Map keeps the order of insertion: the first is the one not used for the longest time.
  const kept = new Map<string, Buffer>()
  let bytes = 0

  return {
    get(key: string): Buffer | null {
      const pdf = kept.get(key)
      if (!pdf) return null
      kept.delete(key)
      kept.set(key, pdf)
      return pdf
    },
    set(key: string, pdf: Buffer): void {
      if (pdf.length > mostBytes) return
      bytes += pdf.length - (kept.get(key)?.length ?? 0)
      kept.delete(key)
      kept.set(key, pdf)
      for (const [oldest, { length }] of kept) {
        if (bytes <= mostBytes) break
        kept.delete(oldest)
        bytes -= length
      }
    },
  }
}

/** A key that differs whenever what a PDF shows does. */
export function keyOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64')
}
