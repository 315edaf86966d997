import * as texts from '../../texts/generated/api.ts'
import type { Message } from '../../texts/language.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

interface Rule {
  windowMs: number
  /** How often in a window. For a network: an IPv4 address or an IPv6 /64. */
  most: number
  /** The same for an IPv6 /48, and for somebody signed in, where one is counted. */
  wide?: number
  /** Holds with LIMITS=off too. */
  isAlwaysOn?: true
  /** A sentence that says more than that there were too many tries. */
  msg?: Message
}

/**
 * All limits, so that they can be read together. They are meant to stop one script, and to be far beyond what people do, also
 * when a whole hall of them shares one address.
 */
export const rules = {
  // Accounts. A sign-in that succeeds does not count.
  'sign-in to an account': { windowMs: 15 * MINUTE, most: 10, isAlwaysOn: true },
  'sign-in by network': { windowMs: 15 * MINUTE, most: 100, wide: 400, isAlwaysOn: true },
  // Those of somebody whose password or session is in other hands already.
  'second factor codes of a person': { windowMs: 24 * HOUR, most: 50, isAlwaysOn: true },
  // Each is told by mail.
  'recovery codes made by a person': { windowMs: HOUR, most: 5, isAlwaysOn: true },
  'passkeys begun by a person': { windowMs: 15 * MINUTE, most: 30, isAlwaysOn: true },
  'passkeys added by a person': { windowMs: 24 * HOUR, most: 20, isAlwaysOn: true },
  'passkeys used by network': { windowMs: 15 * MINUTE, most: 200, wide: 800, isAlwaysOn: true },
  'own password': { windowMs: 15 * MINUTE, most: 20, isAlwaysOn: true },
  // Each may have hundreds of megabytes.
  'club files of a person': { windowMs: 24 * HOUR, most: 20, isAlwaysOn: true },
  'sign-up by network': { windowMs: 15 * MINUTE, most: 20, wide: 80 },
  'forgotten password by account and network': { windowMs: 15 * MINUTE, most: 3, wide: 6, isAlwaysOn: true },
  'forgotten password by network': { windowMs: 15 * MINUTE, most: 30, wide: 120, isAlwaysOn: true },
  'reset link by network': { windowMs: 15 * MINUTE, most: 30, wide: 120, isAlwaysOn: true },

  // Counts each opening: all helpers of a club may sit in one hall.
  'invitation link by network': { windowMs: 15 * MINUTE, most: 200, wide: 800, isAlwaysOn: true },
  'pass link by network': { windowMs: 15 * MINUTE, most: 200, wide: 800, isAlwaysOn: true },
  'invitations by club': { windowMs: HOUR, most: 40, isAlwaysOn: true, msg: texts.manyInvitations },
  'new addresses of a person': { windowMs: 24 * HOUR, most: 10, isAlwaysOn: true },
  'invitations to an address': { windowMs: 24 * HOUR, most: 5, isAlwaysOn: true, msg: texts.manyInvitationsToOne },

  // Registering. Beyond the count by network, each registration needs a proof of work.
  'registrations by network': { windowMs: MINUTE, most: 30, wide: 120 },
  // Forms sent without script, whatever the outcome: each renders a page.
  'forms by network': { windowMs: MINUTE, most: 60, wide: 240 },
  'registrations by e-mail': {
    windowMs: HOUR,
    most: 20,
    msg: texts.manyRegistrationsByEmail,
  },

  // Codes, and members of a club.
  'codes and members by network': { windowMs: MINUTE, most: 300, wide: 1200 },
  'wrong guesses by network': { windowMs: 15 * MINUTE, most: 60, wide: 240, msg: texts.manyGuesses },

  // Calls of ticket holders.
  'tickets read by network': { windowMs: MINUTE, most: 600, wide: 2400 },
  'ticket files by network': { windowMs: MINUTE, most: 300, wide: 1200 },
  'tickets changed by network': { windowMs: MINUTE, most: 120, wide: 480 },
  'wrong secrets by network': { windowMs: 15 * MINUTE, most: 100, wide: 400 },
  'lost tickets by address': { windowMs: 15 * MINUTE, most: 3 },
  'lost tickets by network': { windowMs: 15 * MINUTE, most: 30, wide: 120 },

  // Paying.
  'checkouts by network': { windowMs: MINUTE, most: 120, wide: 480 },
  'new sessions by network': {
    windowMs: 15 * MINUTE,
    most: 60,
    wide: 240,
    msg: texts.manyPayments,
  },
  'session status by network': { windowMs: MINUTE, most: 600, wide: 2400 },

  // Staff.
  'ticket sent by staff': {
    windowMs: HOUR,
    most: 20,
    isAlwaysOn: true,
    msg: texts.ticketSentOften,
  },
  'calls with an API token': { windowMs: MINUTE, most: 600, msg: texts.manyTokenCalls },
  'wrong short codes by person': {
    windowMs: 15 * MINUTE,
    most: 60,
    isAlwaysOn: true,
    msg: texts.manyWrongCodes,
  },
} as const satisfies Record<string, Rule>

export type RuleName = keyof typeof rules

/** The rule by its name, with all that a rule may say. */
export function ruleOf(name: RuleName): Rule {
  return rules[name]
}

/** How many unpaid seats may be held at once: by an e-mail address, by a network, by an IPv6 /48. */
export const MOST_HOLDS = { email: 3, network: 10, wideNetwork: 40 }

/** How often the bank is asked about one session on behalf of visitors. */
export const ASK_BANK_EVERY_MS = 2 * SECOND
