import type { CurrentUser } from '../../contract/sign-in.ts'
import * as texts from '../../texts/generated/passkeyUse.ts'
import styles from './Passkeys.module.css'
import { usePasskey } from './use-passkey.ts'

interface Props {
  onSignedIn: (user: CurrentUser, token: string | null) => Promise<void>
}

/** Signs in without password and code. */
export function PasskeySignIn({ onSignedIn }: Props) {
  const { isBusy, problem, use } = usePasskey(async ({ signInWithPasskey }) => {
    const { user, token } = await signInWithPasskey()
    await onSignedIn(user, token)
  })
  return (
    <div className={styles.signIn}>
      <button type="button" className="button quiet wide" aria-disabled={isBusy} onClick={use}>
        {texts.use()}
      </button>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
