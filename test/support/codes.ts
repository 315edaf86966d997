import { type CodeFields, codeApi } from '../../src/contract/codes.ts'
import type { Input } from '../../src/contract/endpoint.ts'
import type { Event } from '../../src/contract/event.ts'
import { registrationApi } from '../../src/contract/registrations.ts'
import { ticketTypeApi } from '../../src/contract/ticket-types.ts'
import { registrationFor } from './make.ts'
import { family } from './paid-orders.ts'
import { app } from './paying.ts'

type Request = Input<typeof registrationApi.initRegistration>

const anyCode: CodeFields = {
  ...{ code: 'EARLY', kind: 'percent', value: 20, ticketTypeIds: [], maxUses: null, opensAt: null, closesAt: null },
  note: '',
}

/** A family's event with one code for all. */
export async function withCode(fields: Partial<CodeFields> = {}) {
  const fixture = await family()
  const { eventId, token } = fixture
  const save = (more: Partial<CodeFields> & { id?: number; version?: number } = {}) =>
    app.call(codeApi.saveCode, { payload: { eventId, ...anyCode, ...fields, ...more } }, token)
  const code = await save()
  const codes = () => app.call(codeApi.getCodes, { eventId }, token)
  const usedCount = async () => (await codes())[0]?.usedCount
  return { ...fixture, code, save, codes, usedCount }
}

/** Registers somebody with these, such as a code. */
export const register = (event: Event, more: Partial<Request> & { ticketTypeId?: number } = {}) => {
  const { ticketTypeId, ...rest } = more
  const request = registrationFor(event)
  const newRegistration = { ...request.newRegistration, ...(ticketTypeId !== undefined && { ticketTypeId }) }
  return app.call(registrationApi.initRegistration, { ...request, newRegistration, ...rest })
}
/** The bank's session of an answer. */
export const sessionIn = ({ checkoutUrl }: { checkoutUrl: string | null }) =>
  /cs_test_\w+/.exec(checkoutUrl ?? '')?.[0] ?? ''
/** Lets only whoever has a code buy children's tickets. */
export async function hideChild(eventId: number, token: string): Promise<void> {
  const types = await app.call(ticketTypeApi.getTicketTypes, { eventId }, token)
  const ticketTypes = types.map(({ id, name }) => ({ id, ...(name === 'Child' && { access: 'code' as const }) }))
  await app.call(ticketTypeApi.saveTicketTypes, { payload: { eventId, ticketTypes } }, token)
}
/** A moment so many ms from now. */
export const at = (ms: number) => new Date(app.clock.now.getTime() + ms)
/** The ticket types as a visitor sees them, with this code. */
export const typesWith = (eventId: number, code?: string) => app.call(ticketTypeApi.getTicketTypes, { eventId, code })
