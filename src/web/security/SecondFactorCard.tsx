import { Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Payload } from '../../contract/endpoint.ts'
import { securityApi } from '../../contract/security.ts'
import * as passkeyTexts from '../../texts/generated/passkeys.ts'
import * as texts from '../../texts/generated/secondFactor.ts'
import { query, useCall } from '../api/query.ts'
import { LoadFailed } from '../layouts/LoadFailed.tsx'
import { PasskeyList } from '../passkeys/PasskeyList.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { Loading } from '../ui/Loading.tsx'
import { notify } from '../ui/notices/notify.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { SetUpApp } from './SetUpApp.tsx'

type App = Payload<typeof securityApi.startApp>

/** The user's own second factor, in the profile. */
export function SecondFactorCard() {
  const { data: factors, error, refetch, isFetching } = useQuery(query(securityApi.getFactors, {}))
  const client = useQueryClient()
  const start = useCall(securityApi.startApp)
  const renew = useCall(securityApi.makeRecoveryCodes)
  const turnOff = useCall(securityApi.removeApp)
  const [app, setApp] = useState<App | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [isAsked, setAsked] = useState(false)
  const show = (recoveryCodes: readonly string[] | null) => {
    setApp(null)
    if (recoveryCodes) setCodes(recoveryCodes)
    else void client.invalidateQueries()
  }
  const kept = () => {
    setCodes(null)
    void client.invalidateQueries()
  }
  const hasPasskeys = factors !== undefined && factors.passkeys.length > 0
  const isOn = factors !== undefined && (factors.hasApp || hasPasskeys)
  const added = (recoveryCodes: readonly string[] | null) => {
    notify('success', passkeyTexts.added())
    show(recoveryCodes)
  }
  return (
    <section className="card" aria-labelledby="second-factor">
      <h2 id="second-factor">
        {texts.heading()} {isOn && <span className="badge good">{texts.on()}</span>}
      </h2>
      <p className="muted">{wordsFor(factors)}</p>
      {factors ? (
        <>
          {isOn && <p>{texts.codesLeft({ count: factors.recoveryCodesLeft })}</p>}
          <Group gap="xs">
            {isOn && (
              <Button
                variant="light"
                w={{ base: '100%', sm: 'fit-content' }}
                loading={renew.isPending}
                onClick={() => renew.mutate({}, { onSuccess: ({ recoveryCodes }) => show(recoveryCodes) })}
              >
                {texts.newCodes()}
              </Button>
            )}
            {factors.hasApp ? (
              <Button variant="default" w={{ base: '100%', sm: 'fit-content' }} onClick={() => setAsked(true)}>
                {hasPasskeys ? passkeyTexts.removeApp() : texts.turnOff()}
              </Button>
            ) : (
              <Button
                variant={isOn ? 'default' : 'light'}
                w={{ base: '100%', sm: 'fit-content' }}
                loading={start.isPending}
                onClick={() => start.mutate({}, { onSuccess: setApp })}
              >
                {isOn ? passkeyTexts.setUpApp() : texts.setUp()}
              </Button>
            )}
          </Group>
          <PasskeyList passkeys={factors.passkeys} hasApp={factors.hasApp} onAdded={added} />
        </>
      ) : error ? (
        <LoadFailed error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      ) : (
        <Loading />
      )}
      {app && (
        <FormDialog title={texts.requiredTitle()} isDirty={false} isBusy={false} onClose={() => setApp(null)}>
          <SetUpApp app={app} onDone={show} />
        </FormDialog>
      )}
      {codes && <RecoveryCodes codes={codes} onClose={kept} />}
      <RemovalDialog
        title={hasPasskeys ? passkeyTexts.removeAppTitle() : texts.turnOffTitle()}
        action={hasPasskeys ? passkeyTexts.removeApp() : texts.turnOff()}
        isOpen={isAsked}
        isBusy={turnOff.isPending}
        onConfirm={() => turnOff.mutate({}, { onSettled: () => setAsked(false) })}
        onClose={() => setAsked(false)}
      >
        <p>{hasPasskeys ? passkeyTexts.removeAppText() : texts.turnOffText()}</p>
      </RemovalDialog>
    </section>
  )
}

/** What signing in takes with what somebody has. */
function wordsFor(factors: Payload<typeof securityApi.getFactors> | undefined): string {
  if (factors?.hasApp) return factors.passkeys.length > 0 ? passkeyTexts.both() : texts.onText()
  return factors && factors.passkeys.length > 0 ? passkeyTexts.onlyPasskey() : texts.offText()
}
