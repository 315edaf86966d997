import type { ColumnType, Generated } from 'kysely'
import type { TeamRole } from '../../../contract/permissions.ts'

export interface UserTable {
  id: Generated<number>
  role: 'sudo' | 'admin'
  fullName: string
  email: string
  passwordHash: string
  image: Generated<string>
  clubId: number | null
  /** The language that they chose; null: none yet. */
  language: string | null
  createdAt: Date
  version: Generated<number>
  /** The role in the club's team; null for the operator. */
  teamRole: ColumnType<TeamRole | null, TeamRole | null | undefined, TeamRole>
  /** The only events that somebody at the door works on; null for all. */
  eventIds: ColumnType<number[] | null, number[] | null | undefined, number[] | null>
  /** Until when the invitation can be accepted; null for whoever has joined. Without a password until then. */
  invitedUntil: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** Somebody who has left a club's team; kept by a trigger for the history of the club. */
export interface FormerUserTable {
  id: number
  clubId: number
  fullName: string
}

export interface SessionTable {
  /** SHA-256 of the token, in hex. */
  tokenHash: string
  userId: number
  createdAt: Date
  lastUsedAt: Date
  id: Generated<number>
  /** What it was opened with, such as `Chrome` on `Android`, and from which network address; empty when unknown. */
  browser: Generated<string>
  system: Generated<string>
  address: Generated<string>
}

/** How often something was done in a window of time; the key says what, hashed where it identifies somebody. */
export interface LimitCountTable {
  key: string
  endsAt: Date
  count: number
}

/** A secret that all servers of one database share. */
export interface ServerSecretTable {
  name: 'proof of work'
  value: string
}

/** A solved challenge, which counts once. */
export interface UsedProofTable {
  signature: string
  expiresAt: Date
}

/** The holders of unpaid seats, as hashes. A row counts while the registration is pending. */
export interface UnpaidHoldTable {
  registrationId: number
  emailHash: string
  networkHash: string | null
  /** The IPv6 network around it; null for IPv4. */
  wideNetworkHash: string | null
  expiresAt: Date
}

export interface SignInPlaceTable {
  userId: number
  addressHash: string
  lastUsedAt: Date
}

export interface PasswordResetTable {
  userId: number
  /** SHA-256 of the token in the link, in hex. */
  tokenHash: string
  expiresAt: Date
}
