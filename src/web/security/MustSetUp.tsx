import { useQueryClient } from '@tanstack/react-query'
import * as texts from '../../texts/generated/secondFactor.ts'
import { Kit } from '../layouts/Kit.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import { SetUpSteps } from './SetUpSteps.tsx'

/** What people see instead of any page until they have the second factor that their club requires. */
export function MustSetUp({ onCodes }: { onCodes: (areShown: boolean) => void }) {
  const client = useQueryClient()
  return (
    <Kit>
      <div className="page narrow">
        <PageTitle title={texts.requiredTitle()} />
        <h1>{texts.requiredTitle()}</h1>
        <section className="card">
          {/* What the page asked for was refused until now. */}
          <SetUpSteps onCodes={onCodes} onDone={() => client.clear()} />
        </section>
      </div>
    </Kit>
  )
}
