import { Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { securityApi } from '../../contract/security.ts'
import { usePasskey } from './use-passkey.ts'

interface Props {
  label: string
  /** Called with the recovery codes of somebody's first second factor, otherwise null. */
  onAdded: (recoveryCodes: readonly string[] | null) => void
}

/** Adds a passkey to one's account. */
export function AddPasskey({ label, onAdded }: Props) {
  const client = useQueryClient()
  const { isBusy, problem, use } = usePasskey(
    async ({ addPasskey }) => onAdded(await addPasskey()),
    // An answer that got lost may have been that it is added.
    () => void client.invalidateQueries({ queryKey: [securityApi.getFactors.path] }),
  )
  return (
    <Stack gap="sm">
      <Button variant="light" w={{ base: '100%', sm: 'fit-content' }} aria-disabled={isBusy} onClick={use}>
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
