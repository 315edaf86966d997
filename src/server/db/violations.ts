import { Refusal } from '../../contract/errors.ts'

/** Whether the database refused a row because of some unique constraint or index. */
export function isTaken(error: unknown): boolean {
  return stateOf(error) === '23505'
}

/** Whether the database refused a row because of this unique constraint or index. */
export function isConflict(error: unknown, constraint: string): boolean {
  return violatedConstraint(error, '23505') === constraint
}

/** Whether the database refused a row because of this check constraint. */
export function isCheckViolation(error: unknown, constraint: string): boolean {
  return violatedConstraint(error, '23514') === constraint
}

/** The foreign key that an error violates: the referenced row has been removed meanwhile. Null for any other error. */
export function violatedForeignKey(error: unknown): string | null {
  return violatedConstraint(error, '23503')
}

/** Whether PostgreSQL ended a transaction only because of a conflict with another one, or an outdated plan: it can be retried as it is. */
export function isCollision(error: unknown): boolean {
  return /^(40P01|40001)$/.test(stateOf(error)) || isPlanOutdated(error)
}

/** Whether a prepared statement no longer fits its tables: "cached plan must not change result type". */
export function isPlanOutdated(error: unknown): boolean {
  return stateOf(error) === '0A000'
}

/** Whether a lock could not be taken within the time that the transaction allowed (`waitBriefly`). */
export function isLocked(error: unknown): boolean {
  return stateOf(error) === '55P03'
}

function stateOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

function violatedConstraint(error: unknown, sqlState: string): string | null {
  if (typeof error !== 'object' || error === null || stateOf(error) !== sqlState) return null
  return 'constraint' in error ? String(error.constraint) : null
}

/** Whether an error is about the values of a statement (data or a constraint), so that other rows might pass. */
export function isAboutValues(error: unknown): boolean {
  return /^2[23]...$/.test(stateOf(error))
}

/** Turns a violation of `registrations_live_key` into ALREADY_REGISTERED; returns any other error as it is. */
export function toAlreadyRegistered(error: unknown): unknown {
  return isConflict(error, 'registrations_live_key') ? new Refusal('ALREADY_REGISTERED') : error
}

/** Turns a violation of the trigger that keeps an owner in each club into LAST_OWNER; returns any other error as it is. */
export function toLastOwner(error: unknown): unknown {
  return isCheckViolation(error, 'users_owner') ? new Refusal('LAST_OWNER') : error
}
