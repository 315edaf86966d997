import { Button, FileInput, Group, Progress } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { Link } from 'react-router'
import { type ClubImport, clubFileApi, type ImportFailure, MOST_PARTS, PART_BYTES } from '../../contract/club-files.ts'
import * as texts from '../../texts/generated/clubFiles.ts'
import type { Message } from '../../texts/language.ts'
import { query } from '../api/query.ts'
import { newId } from '../new-id.ts'
import * as paths from '../paths.ts'
import { sendFile } from './send-file.ts'

const failures: Readonly<Record<ImportFailure, Message>> = {
  'not ours': texts.notOurs,
  newer: texts.newer,
  damaged: texts.damaged,
  'here already': texts.hereAlready,
  'not empty': texts.notEmpty,
  'not possible': texts.notPossible,
}

interface Props {
  clubId: number
  /** Whether the operator has switched it on. */
  isAllowed: boolean
  /** What became of the latest file; null for none. */
  latest: ClubImport | null
  hasEvents: boolean
}

/** Sends the file of a club, and says what becomes of it. */
export function ImportClub({ clubId, isAllowed, latest, hasEvents }: Props) {
  // In a queue of the server, whoever sent it.
  if (latest?.state === 'waiting')
    return (
      <>
        <p role="status">{texts.waiting()}</p>
        <Progress value={100} animated aria-label={texts.waiting()} />
      </>
    )
  if (latest?.state === 'done' && latest.counts) return <Done counts={latest.counts} />
  return (
    <>
      {latest?.reason && (
        <p className="problem" role="alert">
          {failures[latest.reason]()}
        </p>
      )}
      {hasEvents ? (
        <p className="muted">{texts.onlyEmpty()}</p>
      ) : isAllowed ? (
        <FileForm clubId={clubId} />
      ) : (
        <p className="muted">{texts.switchedOff()}</p>
      )}
    </>
  )
}

function Done({ counts: { events, registrations } }: { counts: NonNullable<ClubImport['counts']> }) {
  return (
    <>
      <p role="status">
        {texts.done({ events: texts.events({ count: events }), attendees: texts.attendees({ count: registrations }) })}
      </p>
      <p>{texts.nextSteps()}</p>
      <Group gap="sm">
        <Button component={Link} to={paths.adminDashboard}>
          {texts.toEvents()}
        </Button>
        <Button component={Link} to={paths.team} variant="default">
          {texts.invite()}
        </Button>
      </Group>
    </>
  )
}

function FileForm({ clubId }: { clubId: number }) {
  const client = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [error, setError] = useState<string>()
  /** How much has been sent, in percent; null while nothing is. */
  const [sent, setSent] = useState<number | null>(null)
  const [hasFailed, setFailed] = useState(false)
  // A try again sends what has not arrived.
  const key = useRef(newId())
  const choose = (chosen: File | null) => {
    key.current = newId()
    setFile(chosen)
    setFailed(false)
    setError(chosen && chosen.size > MOST_PARTS * PART_BYTES ? texts.tooLarge() : undefined)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!file || file.size === 0) return setError(texts.fileNeeded())
    if (error || sent !== null) return
    setSent(0)
    setFailed(false)
    try {
      const onProgress = (received: number, parts: number) => setSent((100 * received) / parts)
      await sendFile({ clubId, key: key.current, file, onProgress })
    } catch {
      // The reason has been shown by the call itself.
      setFailed(true)
    }
    setSent(null)
    await client.invalidateQueries({ queryKey: query(clubFileApi.getImport, { clubId }).queryKey })
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <p>{texts.importText()}</p>
      <FileInput
        label={texts.file()}
        placeholder={texts.chooseFile()}
        accept=".gz,application/gzip"
        value={file}
        onChange={choose}
        disabled={sent !== null}
        error={error}
        mb="md"
      />
      {sent !== null && <Progress value={sent} animated aria-label={texts.sending()} mb="md" />}
      <p className="muted small" role="status">
        {sent !== null ? texts.sending() : ''}
      </p>
      {hasFailed && (
        <p className="problem" role="alert">
          {texts.notSent()}
        </p>
      )}
      <Button type="submit" loading={sent !== null} w={{ base: '100%', sm: 'fit-content' }}>
        {hasFailed ? texts.tryAgain() : texts.importNow()}
      </Button>
    </form>
  )
}
