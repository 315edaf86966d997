import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { useSession } from '../api/session.ts'
import { homeOf } from '../guards.ts'
import { paths } from '../paths.ts'

/** A page that works for one club: whoever has none goes home. */
export function AdminOnly({ children }: { children: (clubId: number) => ReactNode }) {
  const session = useSession()
  if (!session) return <Navigate to={paths.signin} />
  const { clubId } = session.user
  return clubId === null ? <Navigate to={homeOf(session.user)} /> : children(clubId)
}
