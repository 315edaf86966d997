import { Button, Stack } from '@mantine/core'
import { usePasskey } from './use-passkey.ts'

interface Props {
  label: string
  /** Called with the recovery codes of somebody's first second factor, otherwise null. */
  onAdded: (recoveryCodes: readonly string[] | null) => void
}

/** Adds a passkey to one's account. */
export function AddPasskey({ label, onAdded }: Props) {
  const { isBusy, problem, use } = usePasskey(async ({ addPasskey }) => onAdded(await addPasskey()))
  return (
    <Stack gap="sm">
      <Button variant="light" w={{ base: '100%', sm: 'fit-content' }} loading={isBusy} onClick={use}>
        {label}
      </Button>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </Stack>
  )
}
