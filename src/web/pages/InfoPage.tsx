import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { pageApi } from '../../contract/pages.ts'
import { formatDate } from '../../contract/values/dates.ts'
import { query } from '../api/call.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Prose } from '../ui/Prose.tsx'

/** A static page: the operator's words, or ours. */
export function InfoPage() {
  const { type = '' } = useParams()
  const { data: page } = useSuspenseQuery(query(pageApi.getPage, { type }))
  return (
    <div className="page narrow">
      <PageTitle title={page.title} />
      <h1>{page.title}</h1>
      <Prose html={page.bodyHtml} />
      {page.updatedAt && <p className="muted small">Last changed on {formatDate(page.updatedAt, 'UTC')}</p>}
    </div>
  )
}
