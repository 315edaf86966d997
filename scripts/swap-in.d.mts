/** Puts a complete build (a folder) in the place of the one before. */
export function swapIn(built: string, place: string): void
