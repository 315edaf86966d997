import { Button, Modal, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod/mini'
import { authApi } from '../../contract/auth.ts'
import { Refusal } from '../../contract/errors.ts'
import { type CurrentUser, ownFactors } from '../../contract/sign-in.ts'
import * as passkeyTexts from '../../texts/generated/passkeyUse.ts'
import * as texts from '../../texts/generated/signInDialog.ts'
import * as staffTexts from '../../texts/generated/staff.ts'
import { callFull } from '../api/call.ts'
import { purgeAll } from '../door/phone/purge.ts'
import { UsePasskey } from '../passkeys/UsePasskey.tsx'
import { type SessionUser, storeSession } from '../session/session.ts'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import { useSmallForm } from '../ui/dialogs/use-small-form.ts'
import { useTopmost } from '../ui/dialogs/use-topmost.ts'
import { Kit } from './Kit.tsx'

interface Props {
  owner: SessionUser
  isOpen: boolean
  onClose: () => void
}

/** Asks the signed-out person to sign in again, over the page with their work. */
export function SignInDialog({ owner, isOpen, onClose }: Props) {
  const close = useTopmost(isOpen, onClose)
  useFocusReturn(isOpen)
  return (
    <Kit>
      <Modal
        opened={isOpen}
        onClose={close}
        title={staffTexts.signInAgain()}
        centered
        zIndex={300}
        closeOnClickOutside={false}
      >
        <SignInForm owner={owner} />
      </Modal>
    </Kit>
  )
}

function SignInForm({ owner }: { owner: SessionUser }) {
  const [email, setEmail] = useState(owner.email)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string | null>(null)
  const [hasPasskey, setHasPasskey] = useState(false)
  async function goOn(user: CurrentUser, token: string | null): Promise<void> {
    // Another person must not get the list that the door stores here.
    if (user.id !== owner.id) await purgeAll().catch(() => {})
    storeSession({ token: token ?? '', user })
  }
  const { isBusy, error, onSubmit } = useSmallForm(async () => {
    try {
      const { payload, token } = await callFull(
        authApi.signin,
        { email, password, ...(code !== null && { code }) },
        { quiet: true },
      )
      await goOn(payload.currentUser, token)
    } catch (failure) {
      if (!(failure instanceof Refusal) || failure.code !== 'SECOND_FACTOR_NEEDED') throw failure
      setCode(code ?? '')
      setHasPasskey(z.safeParse(ownFactors, failure.payload).data?.hasPasskey ?? false)
    }
  }, texts.signInFailed)
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <p>{texts.signedOutText()}</p>
        {error && (
          <p className="problem" role="alert">
            {error}
          </p>
        )}
        <TextInput
          label={texts.eMail()}
          type="email"
          autoComplete="username"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <PasswordInput
          label={texts.password()}
          autoComplete="current-password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          data-autofocus
        />
        {code !== null && (
          <TextInput
            label={texts.code()}
            description={hasPasskey ? passkeyTexts.anyCode() : texts.codeHelp()}
            autoComplete="one-time-code"
            value={code}
            onChange={({ target }) => setCode(target.value)}
            autoFocus
          />
        )}
        <Button type="submit" size="md" loading={isBusy}>
          {staffTexts.signIn()}
        </Button>
        {hasPasskey && (
          <UsePasskey
            work={async ({ signInWithPasskey }) => {
              const { user, token } = await signInWithPasskey()
              await goOn(user, token)
            }}
          />
        )}
      </Stack>
    </form>
  )
}
