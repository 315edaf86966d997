import type { Language } from '../texts/language.ts'
import type { WireRequest } from './wire.ts'

/** Makes a call as a visitor, as over HTTP, but inside the server. Throws when the server itself failed. */
export type AskApi = (request: WireRequest) => Promise<Answered>

/** A call's answer as on the wire. */
export interface Answered {
  status: number
  /** The parsed JSON of the answer. */
  body: unknown
}

/** The state of a form that was sent without JavaScript and has to be shown again. */
export interface Submitted {
  /** Which of the page's forms was sent. */
  form: 'register' | 'find ticket' | 'pay'
  /** The submitted values, by field name. */
  values: Readonly<Record<string, string[]>>
  /** Error messages by the name of the field. */
  errors: Readonly<Record<string, string>>
  /** Messages that belong to no field. */
  messages: string[]
}

/** A page as it was asked for. */
interface AskedPage {
  /** Its path with its query. */
  address: string
  /** By the server's clock. */
  now: Date
}

/** The installation's data that pages need. */
export interface Site {
  /** Its public address, without a slash at the end. */
  baseUrl: string
  /** Stripe's key for its script in the page; null where visitors pay on Stripe's own page. */
  stripeKey: string | null
}

/** One page to render. */
export interface PageToRender extends AskedPage {
  /** The answers to its calls, in the order in which it makes them. */
  answers: readonly Answered[]
  site: Site
  /** Identifies this rendering: a form sent twice from one rendering is sent with the same stamp. */
  stamp: string
  submitted: Submitted | null
  language: Language
}

/** A form as it was sent without JavaScript. */
export interface SentForm extends AskedPage {
  /** Names and values, in the order of the form. */
  fields: readonly (readonly [name: string, value: string])[]
  /** Makes a repeated submission the same registration. */
  idempotencyKey: string
  /** The language of its errors. */
  language: Language
}

/** Either the page shows the form again (null: the page in its current state, which may be missing), or the browser is redirected. */
export type AfterForm = { status: number; submitted: Submitted | null } | { goTo: string }

/** The web app's public pages as the server uses them: built from the same components that run in the browser. */
export interface PageRenderer {
  /** Makes the calls of a page. Returns the status of a call that was refused, and 200 otherwise. */
  read: (page: AskedPage, ask: AskApi) => Promise<number>
  /** The HTML of a page, and its title as text. */
  render: (page: PageToRender) => Promise<{ html: string; title: string }>
  /** Carries out a form of a page. */
  submit: (form: SentForm, ask: AskApi) => Promise<AfterForm>
}
