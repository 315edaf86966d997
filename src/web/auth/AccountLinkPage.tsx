import type { AccountLinkPageName } from '../rendering/page-data.ts'
import { ConfirmAddressPage } from './ConfirmAddressPage.tsx'
import { ForgotPasswordPage } from './ForgotPasswordPage.tsx'
import { InvitationPage } from './InvitationPage.tsx'
import { ResetPasswordPage } from './ResetPasswordPage.tsx'

/** The pages about links that are sent by mail, which browsers load together. */
export function AccountLinkPage({ page }: { page: AccountLinkPageName }) {
  switch (page) {
    case 'forgot password':
      return <ForgotPasswordPage />
    case 'reset password':
      return <ResetPasswordPage />
    case 'confirm address':
      return <ConfirmAddressPage />
    case 'invitation':
      return <InvitationPage />
  }
}
