import type { Payload } from '../../../contract/endpoint.ts'
import type { registrationApi } from '../../../contract/registrations.ts'

export type Ticket = Payload<typeof registrationApi.getRegistration>
