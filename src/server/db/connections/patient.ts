import { connect } from '../connect.ts'
import type { Address } from '../on-client.ts'
import type { Db } from '../schema.ts'

/** Does work on one connection of its own, whose statements take as long as they need, and closes it. */
export async function withPatientDb<T>(address: Address, work: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(address, { isPatient: true, connections: 1 })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}
