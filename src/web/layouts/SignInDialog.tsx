import { Button, Modal, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { authApi } from '../../contract/auth.ts'
import { Refusal } from '../../contract/errors.ts'
import * as texts from '../../texts/generated/signInDialog.ts'
import * as staffTexts from '../../texts/generated/staff.ts'
import { callFull } from '../api/call.ts'
import { purgeAll } from '../door/phone/purge.ts'
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
  const { isBusy, error, onSubmit } = useSmallForm(async () => {
    try {
      const { payload, token } = await callFull(
        authApi.signin,
        { email, password, ...(code !== null && { code }) },
        { quiet: true },
      )
      // Another person must not get the list that the door stores here.
      if (payload.currentUser.id !== owner.id) await purgeAll().catch(() => {})
      storeSession({ token: token ?? '', user: payload.currentUser })
    } catch (failure) {
      if (!(failure instanceof Refusal) || failure.code !== 'SECOND_FACTOR_NEEDED') throw failure
      setCode(code ?? '')
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
            description={texts.codeHelp()}
            autoComplete="one-time-code"
            value={code}
            onChange={({ target }) => setCode(target.value)}
            autoFocus
          />
        )}
        <Button type="submit" size="md" loading={isBusy}>
          {staffTexts.signIn()}
        </Button>
      </Stack>
    </form>
  )
}
