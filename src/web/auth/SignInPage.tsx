import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { Input } from '../../contract/endpoint.ts'
import { Refusal } from '../../contract/errors.ts'
import { signInApi } from '../../contract/sign-in.ts'
import * as texts from '../../texts/generated/signIn.ts'
import { callFull } from '../api/call.ts'
import { homeOf, safeNext } from '../homes.ts'
import { deleteStaffTickets } from '../offline/ticket-caches.ts'
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
const CodeForm = lazy(() => import('./CodeForm.tsx'))

/** How long signing in waits for the deletion of an earlier session's data on this device, in ms. */
const CLEANING_MS = 3_000

export function SignInPage() {
  // However the last session ended, its door lists and guests' tickets must not stay on this device.
  const cleaning = useRef<Promise<unknown>>(null)
  useEffect(() => {
    cleaning.current = Promise.allSettled([deleteDoorLists(), deleteStaffTickets()])
  }, [])
  const [asked, setAsked] = useState<Input<typeof signInApi.signin> | null>(null)
  async function signIn(credentials: Input<typeof signInApi.signin>): Promise<void> {
    const { payload, token } = await callFull(signInApi.signin, credentials, { quiet: true })
    const next = new URLSearchParams(window.location.search).get('next')
    // Leaving the page would interrupt the deletion.
    await Promise.race([cleaning.current, new Promise((resolve) => setTimeout(resolve, CLEANING_MS))])
    enter(payload.currentUser, token, safeNext(next) ?? homeOf(payload.currentUser))
  }
  const state = usePlainForm(signInApi.signin.input, async (credentials) => {
    try {
      await signIn(credentials)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'SECOND_FACTOR_NEEDED') throw error
      setAsked(credentials)
    }
  })
  if (asked)
    return (
      <Suspense>
        <CodeForm onCode={(code) => signIn({ ...asked, code })} />
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
      <p className="row spread">
        <a href={paths.forgotPassword}>{texts.forgotYourPassword()}</a>
        <a href={paths.register}>{texts.signUpYourClub()}</a>
      </p>
    </div>
  )
}
