import { Button } from '@mantine/core'
import * as texts from '../../texts/generated/passkeyUse.ts'
import { usePasskey } from './use-passkey.ts'

/** The button of a dialog with which to use a passkey instead of typing something. */
export function UsePasskey({ work }: { work: Parameters<typeof usePasskey>[0] }) {
  const { isBusy, problem, use } = usePasskey(work)
  return (
    <>
      <Button variant="default" size="md" aria-disabled={isBusy} onClick={use}>
        {texts.use()}
      </Button>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
