/** Grey placeholders while the page loads. */
export function Loading() {
  return (
    <div className="loading" aria-busy="true">
      <div className="skeleton wide" />
      <div className="skeleton" />
      <div className="skeleton" />
    </div>
  )
}
