// Apart from money.ts, because visitors' pages need no list of them.

// Those in which Stripe charges cards (docs.stripe.com/currencies).
const currencies = new Set(
  (
    'aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop crc cve czk ' +
    'djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf krw kwd ' +
    'kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln ' +
    'pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx usd uyu uzs vnd vuv wst ' +
    'xaf xcd xcg xof xpf yer zar zmw'
  ).split(' '),
)

/** Whether cards can be charged in this currency. */
export function isCurrency(code: string): boolean {
  return currencies.has(code)
}
