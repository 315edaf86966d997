import { useEffect, useState } from 'react'

type Format = (phone: string) => string

const unchanged: Format = (phone) => phone

/** Writes a number as people do, `+44 20 7946 0123`; as it is stored until the table of countries, which is large, has been loaded. */
export function usePhoneFormat(): Format {
  const [{ format }, setFormat] = useState({ format: unchanged })
  useEffect(() => {
    let isHere = true
    import('../../contract/values/phones.ts').then(
      ({ formatPhone }) => isHere && setFormat({ format: formatPhone }),
      // The stored form can be read too.
      () => {},
    )
    return () => {
      isHere = false
    }
  }, [])
  return format
}
