import { Stack } from '@mantine/core'
import { tokenPermissionsOf } from '../../contract/api-tokens.ts'
import * as texts from '../../texts/generated/users.ts'
import { TokensCard } from '../api-tokens/TokensCard.tsx'
import { SecondFactorCard } from '../security/SecondFactorCard.tsx'
import { useOwner } from '../session/owner.ts'
import { PasswordForm } from './PasswordForm.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { SessionsCard } from './SessionsCard.tsx'

/** The user's own name, photo and password, and how they sign in. */
export function ProfilePage() {
  const session = useOwner()
  return (
    <div className="page narrow">
      <h1>{texts.yourProfile()}</h1>
      <Stack gap="lg">
        <ProfileForm key={session.user.image} user={session.user} />
        <PasswordForm />
        <SecondFactorCard />
        <SessionsCard />
        {tokenPermissionsOf(session.user.teamRole).length > 0 && <TokensCard />}
      </Stack>
    </div>
  )
}
