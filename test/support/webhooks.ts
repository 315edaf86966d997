import { afterEach, beforeEach } from 'vitest'
import { attendeeApi } from '../../src/contract/attendees.ts'
import { type WebhookType, webhookApi, webhookTypes } from '../../src/contract/webhooks.ts'
import { makeDeliverer } from '../../src/server/webhooks/deliver.ts'
import { makeFixture } from './make.ts'
import { app, setUpPayingApp } from './paying.ts'
import type { TestApp } from './start-app.ts'
import { type Receiver, startReceiver } from './webhook-receiver.ts'

export const SECOND = 1_000
export const HOUR = 3_600 * SECOND
/** The program that receives; a live binding, as `app` is. */
export let receiver: Receiver

/** Starts an app and a receiver before each test of a file. */
export function setUpWebhooks(): void {
  setUpPayingApp()
  beforeEach(async () => {
    app.deps.settings.localWebhooks = true
    receiver = await startReceiver()
  })
  afterEach(() => receiver.stop())
}

/** Sends all that is due. */
export async function deliver(by: Pick<TestApp, 'deps'> = app): Promise<void> {
  const deliverer = makeDeliverer(by.deps)
  while ((await deliverer.start()) > 0) await deliverer.waitForAll()
}

export const add = (clubId: number, token: string, events: WebhookType[] = [...webhookTypes], url = receiver.url) =>
  app.call(webhookApi.saveWebhook, { payload: { clubId, url, events } }, token)

/** A club with an event and a webhook that is told of everything. */
export async function makeHooked() {
  const fixture = await makeFixture(app)
  const { webhook, secret } = await add(fixture.club.id, fixture.token)
  const of = { clubId: fixture.club.id, id: webhook.id }
  return { ...fixture, webhook, secret: secret ?? '', of }
}

export const log = ({ clubId, id }: { clubId: number; id: number }, token: string) =>
  app.call(webhookApi.getDeliveries, { clubId, webhookId: id }, token)

export const cancel = (registration: { id: number; eventId: number }, token: string) =>
  app.call(
    attendeeApi.updateStatus,
    { payload: { id: registration.id, eventId: registration.eventId, status: 'cancelled' } },
    token,
  )
