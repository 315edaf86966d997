import type { Deps } from '../../src/server/deps.ts'
import { jobSteps } from '../../src/server/job-steps.ts'
import { workOnJobs } from '../../src/server/jobs/worker.ts'
import { cardPayment } from '../../src/server/payments/stripe.ts'
import { workAtStripe, workOnHolds } from '../../src/server/payments/worker.ts'
import { startTestBank, type TestBank } from '../test-bank/test-bank.ts'
import { startApp, type TestApp } from './start-app.ts'

export const bankKeys = { secretKey: 'sk_test_turnout', webhookSecret: 'whsec_turnout' }

export interface PayingApp {
  app: TestApp
  bank: TestBank
  /** Runs everything that waits for the payment worker. */
  finishPayments: () => Promise<void>
  stop: () => Promise<void>
}

/** The app with card payment at its own test bank, which uses the app's clock and sends it webhooks. */
export async function startPayingApp(
  publishableKey: string | null = null,
  settings: Partial<Deps['settings']> = {},
): Promise<PayingApp> {
  let now = () => new Date('2026-11-20T18:00:00.000Z')
  const bank = await startTestBank({ ...bankKeys, webhookUrl: null, now: () => now() })
  const app = await startApp({ stripe: cardPayment({ ...bankKeys, publishableKey, apiBase: bank.url }), settings })
  now = () => app.clock.now
  bank.setWebhookUrl(`${app.url}/api/stripe/webhook`)
  return {
    app,
    bank,
    finishPayments: async () => {
      await bank.settled()
      await workOnJobs(app.deps, jobSteps)
      await workOnHolds(app.deps)
      await workAtStripe(app.deps)
      await bank.settled()
    },
    stop: async () => {
      // Stops the bank first, because the app would wait for its pending deliveries.
      await bank.stop()
      await app.stop()
    },
  }
}
