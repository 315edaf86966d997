import { webhookApi } from '../../contract/webhooks.ts'
import * as texts from '../../texts/generated/api.ts'
import type { Deps } from '../deps.ts'
import type { Implement } from '../http/implement.ts'
import { listDeliveries, listWebhooks } from './queries.ts'
import * as webhooks from './webhooks.ts'

export function webhookRoutes(implement: Implement, deps: Deps): void {
  implement(webhookApi, {
    getWebhooks: async ({ club }) => ({ payload: (await listWebhooks(deps.db, club.id)).map(webhooks.toWebhook) }),
    saveWebhook: async ({ caller, club, input }) => ({
      payload: await webhooks.saveWebhook(deps, { caller, club }, input.payload),
      msg: texts.saved,
    }),
    rollSecret: async ({ caller, club, input }) => ({
      payload: await webhooks.rollSecret(deps, { caller, club }, input.payload.id),
    }),
    pauseWebhook: async ({ caller, club, input }) => ({
      payload: await webhooks.pauseWebhook(deps, { caller, club }, input.payload),
      msg: texts.saved,
    }),
    removeWebhook: async ({ caller, club, input }) => {
      await webhooks.removeWebhook(deps, { caller, club }, input.payload.id)
      return { payload: null, msg: texts.removed }
    },
    getDeliveries: async ({ club, input }) => ({
      payload: (await listDeliveries(deps.db, club.id, input.webhookId)).map(webhooks.toDelivery),
    }),
    sendAgain: async ({ caller, club, input }) => ({
      payload: await webhooks.sendAgain(deps, { caller, club }, input.payload.id),
      msg: texts.webhookQueued,
    }),
    sendTest: async ({ caller, club, input }) => ({
      payload: await webhooks.sendTest(deps, { caller, club }, input.payload.id),
      msg: texts.webhookQueued,
    }),
  })
}
