import { Button } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, Navigate } from 'react-router'
import { clubFileApi } from '../../contract/club-files.ts'
import { eventApi } from '../../contract/events.ts'
import * as texts from '../../texts/generated/clubFiles.ts'
import * as staffTexts from '../../texts/generated/staff.ts'
import { download } from '../api/download.ts'
import { query } from '../api/query.ts'
import { homeOf } from '../homes.ts'
import { useOwnClub } from '../layouts/SignedIn.tsx'
import * as paths from '../paths.ts'
import { refreshSession } from '../session/load-session.ts'
import { useMay } from '../session/may.ts'
import { useOwner } from '../session/owner.ts'
import { ImportClub } from './ImportClub.tsx'

/** Saves a whole club as a file, or imports one. */
export function MoveClubPage() {
  const clubId = useOwnClub()
  const { user } = useOwner()
  const may = useMay()
  // The role may have been changed.
  if (!may('team')) return <Navigate to={homeOf(user)} replace />
  return <MoveClub clubId={clubId} />
}

function MoveClub({ clubId }: { clubId: number }) {
  const { data: events } = useSuspenseQuery(query(eventApi.getAllEvents, { clubId }))
  const {
    data: { isAllowed, latest },
  } = useSuspenseQuery({
    ...query(clubFileApi.getImport, { clubId }),
    refetchInterval: ({ state }) => (state.data?.latest?.state === 'waiting' ? 2_000 : false),
  })
  const client = useQueryClient()
  const state = latest?.state
  const before = useRef(state)
  useEffect(() => {
    // What was read before is that of an empty club.
    if (before.current !== 'done' && state === 'done') {
      void client.invalidateQueries()
      // The club has another name.
      void refreshSession().catch(() => {})
    }
    before.current = state
  }, [state, client])
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    // A refusal has been shown by the call itself.
    await download(clubFileApi.exportClub, { clubId }).catch(() => {})
    setSaving(false)
  }
  return (
    <div className="page narrow">
      <h1>{texts.title()}</h1>
      <p className="muted">
        <Link to={paths.editClub(clubId)}>{staffTexts.clubSettings()}</Link>
      </p>
      <section className="card" aria-labelledby="save-club">
        <h2 id="save-club">{texts.saveHeading()}</h2>
        <p>{texts.whatIsIn()}</p>
        <p>{texts.whatIsNotIn()}</p>
        <Button onClick={() => void save()} loading={isSaving} w={{ base: '100%', sm: 'fit-content' }}>
          {texts.save()}
        </Button>
      </section>
      <section className="card" aria-labelledby="import-club">
        <h2 id="import-club">{texts.importHeading()}</h2>
        <ImportClub clubId={clubId} isAllowed={isAllowed} latest={latest} hasEvents={events.length > 0} />
      </section>
    </div>
  )
}
