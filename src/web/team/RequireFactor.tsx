import { Switch } from '@mantine/core'
import { securityApi } from '../../contract/security.ts'
import * as texts from '../../texts/generated/team.ts'
import { useCall } from '../api/query.ts'
import { refreshSession } from '../session/load-session.ts'

interface Props {
  clubId: number
  isRequired: boolean
  /** How many people of the team have no second factor. */
  without: number
}

/** Whether everybody in the team needs a second factor. */
export function RequireFactor({ clubId, isRequired, without }: Props) {
  const require = useCall(securityApi.requireFactor)
  const shown = require.isPending ? require.variables.payload.isRequired : isRequired
  return (
    <section className="card">
      <Switch
        label={texts.everybodyNeeds()}
        description={
          <>
            {texts.everybodyNeedsText()} {without > 0 && texts.withoutIt({ count: without })}
          </>
        }
        checked={shown}
        disabled={require.isPending}
        onChange={({ target }) =>
          require.mutate(
            { payload: { clubId, isRequired: target.checked } },
            // Who requires it may have none either.
            { onSuccess: () => void refreshSession().catch(() => {}) },
          )
        }
      />
    </section>
  )
}
