import { useEffect, useState } from 'react'

type Format = (phone: string) => string

const unchanged: Format = (phone) => phone
/** Kept here once it is loaded, so that rows that are scrolled into view do not change after a moment. */
let loaded: Format | null = null

/** Writes a number as people do, `+44 20 7946 0123`; as it is stored until the table of countries, which is large, has been loaded. */
export function usePhoneFormat(): Format {
  const [{ format }, setFormat] = useState({ format: loaded ?? unchanged })
  useEffect(() => {
    let isHere = true
    import('../../contract/values/phones.ts').then(
      ({ formatPhone }) => {
        loaded = formatPhone
        if (isHere) setFormat({ format: formatPhone })
      },
      // The stored form can be read too.
      () => {},
    )
    return () => {
      isHere = false
    }
  }, [])
  return format
}
