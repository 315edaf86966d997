/** Which way a language is written (https://tc39.es/proposal-intl-locale-info/); older Node has it as a property. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  const locale: Intl.Locale & { getTextInfo?: () => TextInfo; textInfo?: TextInfo } = new Intl.Locale(language)
  return (locale.getTextInfo?.() ?? locale.textInfo)?.direction === 'rtl' ? 'rtl' : 'ltr'
}

interface TextInfo {
  direction?: string
}
