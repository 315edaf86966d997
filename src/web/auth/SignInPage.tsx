import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { type CurrentUser, ownFactors, signInApi } from '../../contract/sign-in.ts'
import * as texts from '../../texts/generated/signIn.ts'
import { callFull } from '../api/call.ts'
import { homeOf, safeNext } from '../homes.ts'
import { deleteStaffTickets } from '../offline/ticket-caches.ts'
import { PasskeySignIn } from '../passkeys/PasskeySignIn.tsx'
import * as paths from '../paths.ts'
import { Field } from '../ui/forms/Field.tsx'
import { PasswordField } from '../ui/forms/PasswordField.tsx'
import { PlainForm } from '../ui/forms/PlainForm.tsx'
import { usePlainForm } from '../ui/forms/use-plain-form.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Parts } from '../ui/Parts.tsx'
import { deleteDoorLists } from './delete-door-lists.ts'
import { enter } from './enter.ts'

// Most people never need it.
const loadCodeForm = () => import('./CodeForm.tsx')
const CodeForm = lazy(loadCodeForm)

/** How long signing in waits for the deletion of an earlier session's data on this device, in ms. */
const CLEANING_MS = 3_000

/** What was typed when a second factor was asked for, and what the person has of it, where the server says so. */
interface Asked {
  credentials: Input<typeof signInApi.signin>
  hasApp?: boolean
  hasPasskey?: boolean
}

export function SignInPage() {
  // However the last session ended, its door lists and guests' tickets must not stay on this device.
  const cleaning = useRef<Promise<unknown>>(null)
  useEffect(() => {
    cleaning.current = Promise.allSettled([deleteDoorLists(), deleteStaffTickets()])
  }, [])
  const [asked, setAsked] = useState<Asked | null>(null)
  async function goOn(user: CurrentUser, token: string | null): Promise<void> {
    const next = new URLSearchParams(window.location.search).get('next')
    // Leaving the page would interrupt the deletion.
    await Promise.race([cleaning.current, new Promise((resolve) => setTimeout(resolve, CLEANING_MS))])
    enter(user, token, safeNext(next) ?? homeOf(user))
  }
  async function signIn(credentials: Input<typeof signInApi.signin>): Promise<void> {
    const { payload, token } = await callFull(signInApi.signin, credentials, { quiet: true })
    await goOn(payload.currentUser, token)
  }
  const state = usePlainForm(signInApi.signin.input, async (credentials) => {
    try {
      await signIn(credentials)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'SECOND_FACTOR_NEEDED') throw error
      // Loaded first: if that fails, the form stays with what was typed.
      await loadCodeForm().catch(() => {
        throw new Refusal('UNAVAILABLE')
      })
      setAsked({ credentials, ...z.safeParse(ownFactors, error.payload).data })
    }
  })
  if (asked)
    return (
      <Suspense>
        <CodeForm
          onCode={(code) => signIn({ ...asked.credentials, code })}
          passkey={asked.hasPasskey && <PasskeySignIn onSignedIn={goOn} />}
          hasApp={asked.hasApp ?? true}
        />
      </Suspense>
    )
  return (
    <div className="page narrow">
      <PageTitle title={texts.signIn()} />
      <h1>{texts.signIn()}</h1>
      <p className="muted">
        <Parts of={texts.forTeams({ find: (text) => <a href={`${paths.landing}#tickets`}>{text}</a> })} />
      </p>
      <PlainForm state={state} action={texts.signIn()}>
        <Field label={texts.eMail()} name="email" type="email" autoComplete="username" error={state.errors.email} />
        <PasswordField label={texts.password()} autoComplete="current-password" error={state.errors.password} />
      </PlainForm>
      <PasskeySignIn onSignedIn={goOn} />
      <p className="row spread">
        <a href={paths.forgotPassword}>{texts.forgotYourPassword()}</a>
        <a href={paths.register}>{texts.signUpYourClub()}</a>
      </p>
    </div>
  )
}
