import { Button, Modal, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Refusal } from '../../contract/errors.ts'
import { securityApi } from '../../contract/security.ts'
import * as texts from '../../texts/generated/confirmDialog.ts'
import { call } from '../api/call.ts'
import { Kit } from '../layouts/Kit.tsx'
import { type AskedProof, settleConfirming } from '../session/confirm-identity.ts'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import { useTopmost } from '../ui/dialogs/use-topmost.ts'

/** Asks the person to prove who they are, over the page with their work, before a call is sent again. */
export function ConfirmDialog({ by }: { by: AskedProof | null }) {
  const close = useTopmost(by !== null, () => settleConfirming(false))
  useFocusReturn(by !== null)
  return (
    <Kit>
      <Modal
        opened={by !== null}
        onClose={close}
        title={texts.title()}
        centered
        zIndex={300}
        closeOnClickOutside={false}
      >
        {by !== null && <ProofForm by={by} />}
      </Modal>
    </Kit>
  )
}

function ProofForm({ by }: { by: AskedProof }) {
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    // React events of a dialog bubble to the form that contains it.
    event.stopPropagation()
    if (isBusy) return
    setBusy(true)
    try {
      await call(securityApi.confirmIdentity, { [by]: typed }, { quiet: true, isTold: true })
      settleConfirming(true)
    } catch (failure) {
      const field = failure instanceof Refusal ? failure.fields[0]?.msg() : undefined
      setError(field ?? (failure instanceof Refusal ? failure.message : texts.failed()))
      setBusy(false)
    }
  }
  const field = {
    value: typed,
    onChange: ({ target }: { target: { value: string } }) => setTyped(target.value),
    error,
    'data-autofocus': true,
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <p>{by === 'code' ? texts.byCode() : texts.byPassword()}</p>
        {by === 'code' ? (
          <TextInput label={texts.code()} description={texts.codeHelp()} autoComplete="one-time-code" {...field} />
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
