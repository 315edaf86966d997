import { access } from './access.ts'
import { apiTokens } from './api-tokens.ts'
import { bulk } from './bulk.ts'
import { codesOfEvents, membersOfClubs } from './codes.ts'
import { content } from './content.ts'
import { database } from './database.ts'
import { door } from './door.ts'
import { doorMoney } from './door-money.ts'
import { history } from './history.ts'
import { languages } from './languages.ts'
import { limits } from './limits.ts'
import { mail } from './mail.ts'
import { mailQueue } from './mail-queue.ts'
import type { Mutant } from './mutant.ts'
import { ops } from './ops.ts'
import { orders } from './orders.ts'
import { pages } from './pages.ts'
import { payments } from './payments.ts'
import { registrations } from './registrations.ts'
import { retention } from './retention.ts'
import { security } from './security.ts'
import { staff } from './staff.ts'
import { ticketHolder } from './ticket-holder.ts'
import { ticketTypes } from './ticket-types.ts'
import { vouchers } from './vouchers.ts'
import { webhooks } from './webhooks.ts'

/**
 * All guards by subject. A guard whose removal changes only speed does not belong here: the counting of seats within a batch,
 * for example, because the database's constraint refuses such a batch and it is placed in smaller parts.
 */
const bySubject = {
  registrations,
  access,
  apiTokens,
  staff,
  ticketHolder,
  ticketTypes,
  codes: codesOfEvents,
  members: membersOfClubs,
  orders,
  mail,
  payments,
  vouchers,
  door,
  doorMoney,
  bulk,
  content,
  database,
  limits,
  mailQueue,
  ops,
  pages,
  languages,
  history,
  security,
  retention,
  webhooks,
}

/** Every mutant with its subject in front of its name, as `door: …`. */
export const mutants: Mutant[] = Object.entries(bySubject).flatMap(([subject, list]) =>
  list.map((mutant) => ({ ...mutant, name: `${subject}: ${mutant.name}` })),
)
