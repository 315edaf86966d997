import { Button, Group } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate } from 'react-router'
import { historyApi } from '../../contract/history.ts'
import * as texts from '../../texts/generated/history.ts'
import { download } from '../api/download.ts'
import { homeOf } from '../homes.ts'
import { Problem } from '../layouts/Problem.tsx'
import { useOwnClub } from '../layouts/SignedIn.tsx'
import { useMay } from '../session/may.ts'
import { useOwner } from '../session/owner.ts'
import { Loading } from '../ui/Loading.tsx'
import { HistoryDays } from './HistoryDays.tsx'
import { HistoryFilters } from './HistoryFilters.tsx'
import styles from './HistoryPage.module.css'
import { filtersOf, useHistorySearch } from './history-filters.ts'
import { historyList } from './history-list.ts'

/** Who changed what in the club, and when. */
export function HistoryPage() {
  const clubId = useOwnClub()
  const { user } = useOwner()
  const may = useMay()
  // The role may have been changed.
  if (!may('events')) return <Navigate to={homeOf(user)} replace />
  return <History clubId={clubId} />
}

function History({ clubId }: { clubId: number }) {
  const { current, change } = useHistorySearch()
  const history = useInfiniteQuery(historyList(clubId, current))
  const entries = history.data?.pages.flatMap((page) => page.entries) ?? []
  const timeZone = history.data?.pages[0]?.timeZone ?? 'UTC'
  const filters = filtersOf(current)
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const focusAfter = useFocusOnNext(entries.map(({ id }) => id))
  const showEarlier = async () => {
    const last = entries.at(-1)?.id
    const { isFetchNextPageError } = await history.fetchNextPage()
    if (last !== undefined && !isFetchNextPageError) focusAfter(last)
  }
  return (
    <div className={`page ${styles.page}`}>
      <div className="row spread">
        <div className={styles.head}>
          <h1>{texts.title()}</h1>
          <p className="muted">{texts.intro()}</p>
        </div>
        {entries.length > 0 && <ExportButton input={{ clubId, ...filters }} />}
      </div>
      <HistoryFilters clubId={clubId} current={current} onChange={change} />
      {/* Always in the page, so that screen readers announce its changes. */}
      <p className="muted small" role="status">
        {history.isPending || history.isPlaceholderData
          ? texts.loading()
          : history.data
            ? texts.shown({ count: entries.length })
            : ''}
      </p>
      {history.isPending ? (
        <Loading />
      ) : !history.data ? (
        <Problem error={history.error} resetErrorBoundary={() => void history.refetch()} />
      ) : entries.length === 0 ? (
        <Nothing isFiltered={isFiltered} onShowAll={() => change({ by: '', event: '', subject: '' })} />
      ) : (
        <div aria-busy={history.isPlaceholderData}>
          <HistoryDays entries={entries} timeZone={timeZone} />
        </div>
      )}
      {history.isFetchNextPageError && (
        <Group className="problem" role="alert">
          {texts.restNotLoaded()}
          <Button variant="light" loading={history.isFetchingNextPage} onClick={() => void showEarlier()}>
            {texts.tryAgain()}
          </Button>
        </Group>
      )}
      {history.hasNextPage && !history.isFetchNextPageError && (
        <Button variant="light" loading={history.isFetchingNextPage} onClick={() => void showEarlier()}>
          {texts.showEarlier()}
        </Button>
      )}
    </div>
  )
}

/** Moves the focus to the entry behind the given one, or to its fold, once it is there: the button that brought it may be gone. */
function useFocusOnNext(ids: readonly number[]): (id: number) => void {
  const [after, setAfter] = useState<number | null>(null)
  const next = after === null ? undefined : ids[ids.indexOf(after) + 1]
  useEffect(() => {
    if (next === undefined) return
    const entry = document.querySelector<HTMLElement>(`[data-entry="${next}"]`)
    const fold = entry?.closest('details:not([open])')?.querySelector('summary')
    ;(fold ?? entry)?.focus()
    setAfter(null)
  }, [next])
  return setAfter
}

function Nothing({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  return (
    <div className="card">
      <p>{isFiltered ? texts.nothingMatches() : texts.nothingYet()}</p>
      {isFiltered && (
        <Button variant="light" onClick={onShowAll}>
          {texts.showEverything()}
        </Button>
      )}
    </div>
  )
}

function ExportButton({ input }: { input: Parameters<typeof download<typeof historyApi.downloadHistory>>[1] }) {
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    // A refusal has been shown by the download itself.
    await download(historyApi.downloadHistory, input).catch(() => {})
    setBusy(false)
  }
  return (
    <Button variant="light" loading={isBusy} onClick={() => void save()}>
      {texts.exportIt()}
    </Button>
  )
}
