import { pageAt } from '../../contract/page-paths.ts'
import type { Deps } from '../deps.ts'
import { findMovedPage } from '../scans/moved-code-queries.ts'

const LARGEST_ID = 2_147_483_647

/** The path of the page of a ticket, voucher or order whose link was made by the server that its club has moved from; null for none. */
export async function movedPage({ db }: Deps, path: string): Promise<string | null> {
  const page = pageAt(path)
  const { id, qrUuid, secret = qrUuid } = page?.params ?? {}
  const kind = page?.path === '/qr/:id/:qrUuid' ? 'qr' : page?.path === '/order/:id/:secret' ? 'order' : null
  if (kind === null || secret === undefined || !(Number(id) <= LARGEST_ID)) return null
  const current = await findMovedPage(db, kind, { id: Number(id), secret: secret.toLowerCase() })
  return current === null ? null : `/${kind}/${current}/${secret}`
}
