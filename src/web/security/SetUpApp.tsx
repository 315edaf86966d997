import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Payload } from '../../contract/endpoint.ts'
import { securityApi } from '../../contract/security.ts'
import * as texts from '../../texts/generated/secondFactor.ts'
import { call } from '../api/call.ts'
import { QrCode } from '../ui/codes/QrCode.tsx'
import { useSmallForm } from '../ui/dialogs/use-small-form.ts'
import styles from './Security.module.css'

interface Props {
  app: Payload<typeof securityApi.startApp>
  /** Called with the recovery codes of somebody's first second factor, otherwise null. */
  onDone: (recoveryCodes: readonly string[] | null) => void
}

/** The code for the app, to scan or to type, and the field for its first code. */
export function SetUpApp({ app: { secret, url }, onDone }: Props) {
  const [code, setCode] = useState('')
  const { isBusy, error, onSubmit } = useSmallForm(async () => {
    // Not the hook for calls: what is shown is read again once the recovery codes are kept.
    onDone((await call(securityApi.finishApp, { code }, { isTold: true })).recoveryCodes)
  }, texts.failed)
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        <p>{texts.scan()}</p>
        <div className={styles.code}>
          <QrCode text={url} label={texts.qrCode()} />
        </div>
        <p className="small">
          {texts.orType()}
          <code className={styles.key}>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
          <a href={url}>{texts.openApp()}</a>
        </p>
        <TextInput
          label={texts.code()}
          description={texts.codeHelp()}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={({ target }) => setCode(target.value)}
          error={error}
        />
        <Button type="submit" loading={isBusy}>
          {texts.turnOn()}
        </Button>
      </Stack>
    </form>
  )
}
