import { PageTitle } from './PageTitle.tsx'

/** Grey shapes where the page is about to be. */
export function Loading() {
  return (
    <div className="loading" aria-busy="true">
      <PageTitle />
      <div className="skeleton wide" />
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  )
}
