import type { Payload } from '../../contract/endpoint.ts'
import type { visitorPageApi } from '../../contract/pages.ts'
import { formatDate } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/pageNames.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Prose } from '../ui/Prose.tsx'

/** A static page: the operator's text, or ours. */
export function InfoPage({ text }: { text: Payload<typeof visitorPageApi.getPage> }) {
  return (
    <div className="page narrow">
      <PageTitle title={text.title} />
      <h1>{text.title}</h1>
      <Prose html={text.bodyHtml} />
      {text.updatedAt && (
        <p className="muted small">{texts.lastChanged({ date: formatDate(text.updatedAt, 'UTC') })}</p>
      )}
    </div>
  )
}
