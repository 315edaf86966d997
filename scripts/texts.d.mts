export function makeTexts(): Promise<void>
