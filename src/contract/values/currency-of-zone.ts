import { isCurrency } from './currencies.ts'
import { countryOfZone } from './phones.ts'

// ISO 4217 begins most currencies with their country's code: GBP, JPY, CHF. These are the others of ISO 3166 that can be charged.
const others: Readonly<Record<string, string>> = {
  ...of(
    'eur',
    'AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA XK YT',
  ),
  ...of('usd', 'AS BQ EC FM GU IO MH MP PR PW SV TC TL UM VG VI'),
  ...of('gbp', 'GG IM JE'),
  ...of('aud', 'CC CX HM KI NF NR TV'),
  ...of('nzd', 'CK NU PN TK'),
  ...of('dkk', 'FO GL'),
  ...of('nok', 'BV SJ'),
  ...of('chf', 'LI'),
  ...of('ils', 'PS'),
  ...of('pln', 'PL'),
  ...of('mad', 'EH'),
  ...of('xof', 'BF BJ CI GW ML NE SN TG'),
  ...of('xaf', 'CF CG CM GA GQ TD'),
  ...of('xcd', 'AG AI DM GD KN LC MS VC'),
  ...of('xcg', 'CW SX'),
  ...of('xpf', 'NC PF WF'),
  ...of('uah', 'UA'),
  ...of('gel', 'GE'),
}

function of(currency: string, countries: string): Record<string, string> {
  return Object.fromEntries(countries.split(' ').map((country) => [country, currency]))
}

/** The currency of the country that a time zone is in, if cards can be charged in it; null when it cannot be guessed. */
export function currencyOfZone(timeZone: string): string | null {
  // Asia/Kolkata is Asia/Calcutta to some platforms.
  const alias = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  const country = countryOfZone(timeZone) ?? countryOfZone(alias)
  if (country === null) return null
  const known = others[country]
  if (known) return known
  const currencies = Intl.supportedValuesOf('currency').map((code) => code.toLowerCase())
  // Of a country's old and new currencies (PLZ, PLN), the one that can be charged.
  const found = currencies.filter((code) => code.startsWith(country.toLowerCase()) && isCurrency(code))
  return found.length === 1 ? (found[0] ?? null) : null
}
