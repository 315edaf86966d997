export function generateTexts(): Promise<void>
