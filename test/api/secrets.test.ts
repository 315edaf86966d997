import { describe, expect, test } from 'vitest'
import { checkinApi } from '../../src/contract/checkins.ts'
import { redemptionApi } from '../../src/contract/redemptions.ts'
import { ticketApi } from '../../src/contract/tickets.ts'
import { makeClub, makeEvent, makeExtras, makeRegistration } from '../support/make.ts'
import { app, type Call, fixture, send, setUpUntyped } from '../support/untyped.ts'

setUpUntyped()

describe('tickets and vouchers', () => {
  test('a secret that is sent must be right, for staff too', async () => {
    const { id: registrationId, qrUuid } = await makeRegistration(app, fixture.event)
    const read = async (secret: object, token?: string) =>
      (await send(ticketApi.getRegistration, { registrationId, ...secret }, token)).status
    const other = await makeClub(app, fixture.sudo.token)
    for (const token of [fixture.token, fixture.sudo.token, other.token, '']) {
      expect(await read({ qrUuid }, token)).toBe(200)
      expect(await read({ qrUuid: qrUuid.toUpperCase() }, token)).toBe(200)
      for (const wrong of ['11111111-1111-4111-8111-111111111111', 'x', '0', '[object Object]'])
        expect(await read({ qrUuid: wrong }, token)).toBe(404)
      for (const none of [{}, { qrUuid: '' }, { qrUuid: 'undefined' }])
        expect(await read(none, token)).toBe(token === fixture.token ? 200 : 404)
    }
  })

  test('the secret decides what a code is, in either scanner, and a success says what was done', async () => {
    const { event, token } = fixture
    const extras = await makeExtras(app, token, event.id, { content: [{ name: 'Drink', quantity: 2 }] })
    const holder = await makeRegistration(app, event, { extrasIds: [extras.id, extras.id, extras.id] })
    const { payload } = await send(ticketApi.getRegistration, { registrationId: holder.id })
    const vouchers: { id: number; qrUuid: string }[] = payload.extras
    const forms = [
      ({ id, qrUuid }: { id: number; qrUuid: string }) => JSON.stringify({ id, qrUuid }),
      ({ id, qrUuid }: { id: number; qrUuid: string }) => JSON.stringify({ id: String(id), qrUuid, type: 'voucher' }),
      ({ id, qrUuid }: { id: number; qrUuid: string }) => `https://turnout.test/qr/${id}/${qrUuid}`,
    ]
    const scan = (call: Call, qrCodeData: string) => send(call, { payload: { qrCodeData, eventId: event.id } })
    for (const [index, form] of forms.entries()) {
      const voucher = vouchers[index]
      if (!voucher) throw new Error('There are three vouchers.')
      expect(await scan(checkinApi.scanByRegistrationId, form(voucher))).toMatchObject({
        status: 409,
        code: 'WRONG_SCANNER',
      })
      expect(await scan(redemptionApi.scanByExtrasPurchaseId, form(holder))).toMatchObject({
        status: 200,
        payload: { extrasPurchase: null, registration: { id: holder.id } },
      })
      const redeemed = await scan(redemptionApi.scanByExtrasPurchaseId, form(voucher))
      expect(redeemed).toMatchObject({
        status: 200,
        msg: 'Redeemed: 2 × Drink.',
        payload: { extrasPurchase: { id: voucher.id } },
      })
      const forged = form({ ...voucher, qrUuid: crypto.randomUUID() })
      for (const call of [checkinApi.scanByRegistrationId, redemptionApi.scanByExtrasPurchaseId])
        expect(await scan(call, forged)).toMatchObject({ status: 404 })
    }
    const first = await scan(checkinApi.scanByRegistrationId, forms[0]?.(holder) ?? '')
    expect(first).toMatchObject({ status: 200, msg: 'Check-in successful!' })
  })

  test('a voucher of another club is not found, in either scanner', async () => {
    const other = await makeClub(app, fixture.sudo.token)
    const event = await makeEvent(app, other.token)
    const extras = await makeExtras(app, other.token, event.id)
    const holder = await makeRegistration(app, event, { extrasIds: [extras.id] })
    const { payload } = await send(ticketApi.getRegistration, { registrationId: holder.id }, other.token)
    const [{ id, qrUuid }] = payload.extras
    const body = { payload: { qrCodeData: JSON.stringify({ id, qrUuid }), eventId: fixture.event.id } }
    for (const call of [checkinApi.scanByRegistrationId, redemptionApi.scanByExtrasPurchaseId])
      expect(await send(call, body)).toMatchObject({ status: 404 })
  })
})
