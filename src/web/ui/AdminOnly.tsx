import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { homeOf } from '../guards.ts'
import { useOwner } from '../layouts/SignedIn.tsx'

/** A page that works for one club: whoever has none goes home. */
export function AdminOnly({ children }: { children: (clubId: number) => ReactNode }) {
  const { user } = useOwner()
  return user.clubId === null ? <Navigate to={homeOf(user)} /> : children(user.clubId)
}
