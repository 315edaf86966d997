import { makeFirstSudo } from '../auth/first-sudo.ts'
import { fillDemo } from '../demo.ts'
import type { Deps } from '../deps.ts'
import { senderWarning } from '../mail/smtp.ts'
import type { Settings } from '../settings.ts'

type Say = (line: string) => void

/** Makes the operator's account at the first start, and prints where the server is and how to sign in. With `--demo` it adds a demo club. */
export async function announce(deps: Deps, settings: Settings, say: Say): Promise<void> {
  const sudo = await makeFirstSudo(deps, settings)
  sayAddress(settings, sudo, say)
  if (!settings.limits) say('  LIMITS=off: public calls are not limited. This is for load tests only.\n')
  if (process.argv.includes('--demo')) sayDemo(settings, await fillDemo(deps), say)
}

type Made = Awaited<ReturnType<typeof makeFirstSudo>>
type Demo = Awaited<ReturnType<typeof fillDemo>>

function sayAddress(settings: Settings, sudo: Made, say: Say): void {
  const { baseUrl, host, port } = settings
  say('')
  const warning = senderWarning(settings)
  if (warning) say(`  Warning:   ${warning}`)
  say(`  Turnout is running at ${baseUrl} (listening on ${host}:${port})`)
  if (sudo) say(`  Operator:  ${sudo.email}  password: ${sudo.password ?? 'as set in SUDO_PASSWORD'}`)
  if (sudo?.password) say('             This password is shown this once. Sign in and change it.')
  if (!sudo) say("  Operator:  sign in with the operator's e-mail and password, as printed at the first start")
  say('')
}

function sayDemo({ baseUrl }: Settings, { clubId, email, password }: Demo, say: Say): void {
  say(`  Demo:      ${baseUrl}/club/${clubId}/event`)
  say(`             admin ${email}  password: ${password}`)
  say('')
}
