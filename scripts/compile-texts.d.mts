export function compileTexts(catalogs: Record<string, Record<string, Record<string, string>>>): Map<string, string>
