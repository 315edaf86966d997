import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { checkNode, install, root } from './install.mjs'

checkNode()
install()
await build()

const env = { ...process.env, ...(process.argv.includes('--demo') && (await testBank())) }
const server = spawn(process.execPath, [join(root, 'dist/server/main.js'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env,
})
// A terminal sends Ctrl-C to both processes; a signal sent to this process alone is passed on. Only once, although npm sends its own signal
// on top: a second one could make the server exit without finishing.
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) stop('SIGINT')
})
process.on('SIGTERM', () => stop('SIGTERM'))
let isStopping = false
function stop(signal) {
  if (!isStopping) server.kill(signal)
  isStopping = true
}
server.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))

/** The demo uses a test bank of its own, where no real money moves, unless Stripe's keys are set. */
async function testBank() {
  if (process.env.STRIPE_SECRET_KEY) return {}
  const { startTestBank } = await import('../dist/server/test-bank.js')
  const keys = { secretKey: 'sk_test_demo', webhookSecret: 'whsec_demo' }
  const webhookUrl = `http://127.0.0.1:${process.env.PORT || 3000}/api/stripe/webhook`
  const bank = await startTestBank({ ...keys, webhookUrl })
  console.log(`Card payment: a test bank at ${bank.url}. No real money moves.`)
  return {
    STRIPE_SECRET_KEY: keys.secretKey,
    STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
    STRIPE_API_BASE: bank.url,
  }
}
