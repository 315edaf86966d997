/** What stands for the numbers of the page and of all pages in a footer: no name contains these characters. */
export const [PAGE, PAGES] = ['\uE001', '\uE002']

/** A list of attendees as its pages show it. All texts are in words. */
export interface ShownList {
  language: string
  /** Of the file. */
  title: string
  name: string
  /** When and where the event is. */
  when: string
  /** How many there are, and as of when. */
  count: string
  people: Person[]
  /** The footer of each page, with `PAGE` and `PAGES`. */
  footer: string
}

interface Person {
  name: string
  code: string
  /** Vouchers, and what is still to be paid; empty for none. */
  note: string
  isIn: boolean
}
