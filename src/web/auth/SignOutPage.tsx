import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { authApi } from '../../contract/auth.ts'
import { call } from '../api/call.ts'
import { queryClient } from '../api/query-client.ts'
import { clearSession } from '../api/session.ts'
import { forgetTickets } from '../offline/keep-offline.ts'
import { paths } from '../paths.ts'
import { PageTitle } from '../ui/PageTitle.tsx'

/** Ends the session on the server and here; without a connection at least here. */
export function SignOutPage() {
  const navigate = useNavigate()
  useEffect(() => {
    const leave = () => {
      clearSession()
      void forgetTickets()
      queryClient.clear()
      return navigate(paths.signin, { replace: true })
    }
    void call(authApi.signout, {}, { quiet: true }).then(leave, leave)
  }, [navigate])
  return (
    <div className="page narrow">
      <PageTitle title="Sign out" />
      <p>Signing out …</p>
    </div>
  )
}
