import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Navigate } from 'react-router'
import { MOST_RECORDS, personalDataApi } from '../../contract/personal-data.ts'
import * as texts from '../../texts/generated/personalData.ts'
import { query } from '../api/query.ts'
import { homeOf } from '../homes.ts'
import { Problem } from '../layouts/Problem.tsx'
import { useOwnClub } from '../layouts/SignedIn.tsx'
import { useMay } from '../session/may.ts'
import { useOwner } from '../session/owner.ts'
import { Loading } from '../ui/Loading.tsx'
import styles from './PersonalDataPage.module.css'
import { Records } from './Records.tsx'

/** What the club keeps about one person, to tell them or to delete it. */
export function PersonalDataPage() {
  const clubId = useOwnClub()
  const { user } = useOwner()
  const may = useMay()
  // The role may have been changed.
  if (!may('attendees')) return <Navigate to={homeOf(user)} replace />
  return <PersonalData clubId={clubId} />
}

function PersonalData({ clubId }: { clubId: number }) {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  // Not in the address, which browsers and servers keep.
  const [search, setSearch] = useState<string | null>(null)
  const found = useQuery({
    ...query(personalDataApi.findRecords, { clubId, search: search ?? '' }),
    enabled: search !== null,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = typed.trim()
    if (wanted === '') return setProblem(texts.searchNeeded())
    if (wanted === search) void found.refetch()
    else setSearch(wanted)
  }
  const count = found.data?.records.length ?? 0
  return (
    <div className={`page ${styles.page}`}>
      <h1>{texts.title()}</h1>
      <p className="muted">{texts.intro()}</p>
      <form className={styles.search} onSubmit={submit} noValidate>
        <TextInput
          label={texts.searchFor()}
          value={typed}
          maxLength={200}
          autoComplete="off"
          error={problem}
          onChange={({ target }) => {
            setTyped(target.value)
            setProblem(undefined)
          }}
        />
        <Button type="submit" size="md" loading={found.isFetching}>
          {texts.search()}
        </Button>
      </form>
      {/* Always in the page, so that screen readers announce its changes. */}
      <p className="muted small" role="status">
        {found.isFetching
          ? texts.searching()
          : !found.data || found.isError
            ? ''
            : count === 0
              ? texts.nothingFound()
              : texts.found({ count })}
      </p>
      {found.isLoading && <Loading />}
      {found.isError && !found.isFetching && (
        <Problem error={found.error} resetErrorBoundary={() => void found.refetch()} />
      )}
      {found.data?.hasMore && <p className="problem">{texts.hasMore({ count: MOST_RECORDS })}</p>}
      {found.data && count > 0 && <Records key={search} clubId={clubId} records={found.data.records} />}
    </div>
  )
}
