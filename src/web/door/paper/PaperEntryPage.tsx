import { Button, Textarea } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useParams } from 'react-router'
import { eventApi } from '../../../contract/events.ts'
import { MOST_FROM_PAPER, type PaperRow, paperApi } from '../../../contract/paper.ts'
import { formatTime } from '../../../contract/values/dates.ts'
import * as texts from '../../../texts/generated/paperEntry.ts'
import { query, useCall } from '../../api/query.ts'
import { newId } from '../../new-id.ts'
import * as paths from '../../paths.ts'
import { readId } from '../../read-id.ts'
import { useMay } from '../../session/may.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import styles from './PaperEntryPage.module.css'
import { splitCodes } from './split-codes.ts'

/** What was looked up, and the id under which its entry counts once, however often it is sent. */
interface Found {
  rows: PaperRow[]
  scanId: string
}

/** Checks in those who were ticked on the paper list, by the numbers or codes on it. */
export function PaperEntryPage() {
  const eventId = readId(useParams().eventId)
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  const may = useMay()
  const [text, setText] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const read = useCall(paperApi.readPaper)
  const enter = useCall(paperApi.checkInFromPaper)
  const field = useRef<HTMLTextAreaElement>(null)
  const confirmation = useRef<HTMLButtonElement>(null)
  // Enter then checks in.
  useEffect(() => {
    if (found) confirmation.current?.focus()
  }, [found])
  const codes = splitCodes(text)
  const isTooMany = codes.length > MOST_FROM_PAPER
  const lookUp = (submission?: FormEvent) => {
    submission?.preventDefault()
    if (codes.length === 0 || isTooMany || read.isPending) return
    read.mutate({ payload: { eventId, codes } }, { onSuccess: (rows) => setFound({ rows, scanId: newId() }) })
  }
  const ready = [
    ...new Set(found?.rows.flatMap(({ state, registrationId }) => (state === 'ready' ? (registrationId ?? []) : []))),
  ]
  const checkIn = () => {
    if (!found) return
    const payload = { eventId, scanId: found.scanId, registrationIds: ready }
    enter.mutate(
      { payload },
      {
        onSuccess: () => {
          setText('')
          setFound(null)
          field.current?.focus()
        },
      },
    )
  }
  return (
    <div className="page">
      <PageTitle title={texts.title({ event: event.name })} />
      <h1>{texts.heading()}</h1>
      <p className="muted">
        <Link to={may('read') ? paths.eventHome(eventId) : paths.adminDashboard}>{event.name}</Link>
      </p>
      <form className="card" onSubmit={lookUp}>
        <Textarea
          ref={field}
          label={texts.field()}
          description={texts.fieldHelp({ example: '42-9F3A1C7B', most: MOST_FROM_PAPER })}
          error={isTooMany ? texts.tooMany({ count: codes.length, most: MOST_FROM_PAPER }) : undefined}
          autosize
          minRows={4}
          maxRows={12}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value)
            setFound(null)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) lookUp()
          }}
        />
        <p className={styles.action}>
          <Button type="submit" loading={read.isPending} disabled={codes.length === 0 || isTooMany}>
            {texts.lookUp()}
          </Button>
        </p>
      </form>
      {found && (
        <section className="card" aria-labelledby="found">
          <h2 id="found">{texts.found()}</h2>
          <ul className={styles.rows}>
            {found.rows.map((row) => (
              <li key={row.code}>
                <span className="muted">{row.code}</span>
                <strong>{row.name}</strong>
                <span className={row.state === 'ready' ? 'badge good' : row.state === 'in' ? 'badge' : 'badge bad'}>
                  {stateOf(row, event.timeZone)}
                </span>
              </li>
            ))}
          </ul>
          {ready.length === 0 ? (
            <p role="status">{texts.nobody()}</p>
          ) : (
            <Button ref={confirmation} loading={enter.isPending} onClick={checkIn}>
              {texts.checkIn({ count: ready.length })}
            </Button>
          )}
        </section>
      )}
    </div>
  )
}

function stateOf({ state, inAt, eventName }: PaperRow, timeZone: string): string {
  switch (state) {
    case 'ready':
      return texts.ready()
    case 'in':
      return inAt ? texts.inSince({ time: formatTime(inAt, timeZone) }) : texts.isIn()
    case 'unpaid':
      return texts.unpaid()
    case 'cancelled':
      return texts.cancelled()
    case 'other event':
      return texts.otherEvent({ event: eventName ?? '' })
    case 'unreadable':
      return texts.unreadable()
    case 'unknown':
      return texts.unknown()
  }
}
