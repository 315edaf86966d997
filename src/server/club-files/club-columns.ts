import { clubFields } from '../../contract/clubs.ts'
import { type Field, field, text } from './fields.ts'

const { shape } = clubFields

/** What of the club itself is in its file. Whether its team needs a second factor is decided where they sign in. */
export const clubColumns: Readonly<Record<string, Field>> = {
  name: field(shape.name),
  location: field(shape.location),
  description: field(shape.description),
  email: field(shape.email),
  phone: field(shape.phone),
  website: field(shape.website),
  colour: field(shape.colour),
  logo: text(100),
  cover: text(100),
  listed: field(shape.listed),
  currency: field(shape.currency),
  time_zone: field(shape.timeZone),
  keep_days: field(shape.keepDays),
  language: field(shape.language),
  languages: field(shape.languages),
  descriptions: field(shape.descriptions),
}
