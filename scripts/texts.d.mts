export function generateTexts(): Promise<string[]>
