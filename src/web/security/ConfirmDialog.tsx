import { Button, Modal, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Refusal } from '../../contract/errors.ts'
import { securityApi } from '../../contract/security.ts'
import * as texts from '../../texts/generated/confirmDialog.ts'
import * as passkeyTexts from '../../texts/generated/passkeyUse.ts'
import { call } from '../api/call.ts'
import { Kit } from '../layouts/Kit.tsx'
import { UsePasskey } from '../passkeys/UsePasskey.tsx'
import { type AskedProof, settleConfirming } from '../session/confirm-identity.ts'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import { useSmallForm } from '../ui/dialogs/use-small-form.ts'
import { useTopmost } from '../ui/dialogs/use-topmost.ts'

/** Asks the person to prove who they are, over the page with their work, before a call is sent again. */
export function ConfirmDialog({ asked }: { asked: AskedProof | null }) {
  const close = useTopmost(asked !== null, () => settleConfirming(false))
  useFocusReturn(asked !== null)
  return (
    <Kit>
      <Modal
        opened={asked !== null}
        onClose={close}
        title={texts.title()}
        centered
        zIndex={300}
        closeOnClickOutside={false}
      >
        {asked !== null && <ProofForm asked={asked} />}
      </Modal>
    </Kit>
  )
}

function ProofForm({ asked }: { asked: AskedProof }) {
  const [by, setBy] = useState(asked.by)
  const [typed, setTyped] = useState('')
  const { isBusy, error, onSubmit } = useSmallForm(async () => {
    try {
      await call(securityApi.confirmIdentity, { [by]: typed }, { quiet: true, isTold: true })
      settleConfirming(true)
    } catch (failure) {
      const wanted = failure instanceof Refusal ? failure.fields[0]?.path : undefined
      if ((wanted !== 'code' && wanted !== 'password') || wanted === by) throw failure
      // The second factor was turned on or off meanwhile, as in another tab.
      setBy(wanted)
      setTyped('')
    }
  }, texts.failed)
  const field = {
    value: typed,
    onChange: ({ target }: { target: { value: string } }) => setTyped(target.value),
    error,
    'data-autofocus': true,
    autoFocus: by !== asked.by,
  }
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <p>{by === 'password' ? texts.byPassword() : asked.hasPasskey ? texts.byPasskey() : texts.byCode()}</p>
        {asked.hasPasskey && (
          <UsePasskey
            work={async ({ provePasskey }) => {
              const input = { passkey: await provePasskey() }
              await call(securityApi.confirmIdentity, input, { quiet: true, isTold: true })
              settleConfirming(true)
            }}
          />
        )}
        {by === 'code' ? (
          <TextInput
            label={texts.code()}
            description={asked.hasPasskey ? passkeyTexts.anyCode() : texts.codeHelp()}
            autoComplete="one-time-code"
            {...field}
          />
        ) : (
          <PasswordInput label={texts.password()} autoComplete="current-password" {...field} />
        )}
        <Button type="submit" size="md" loading={isBusy}>
          {texts.confirm()}
        </Button>
      </Stack>
    </form>
  )
}
