import { Button } from '@mantine/core'
import { IconLink, IconQrcode, IconUserPlus } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { eventApi } from '../../contract/events.ts'
import { passApi } from '../../contract/passes.ts'
import * as boardTexts from '../../texts/generated/board.ts'
import * as texts from '../../texts/generated/helpers.ts'
import { query } from '../api/query.ts'
import { serverNow } from '../api/server-time.ts'
import { Board } from '../board/Board.tsx'
import * as paths from '../paths.ts'
import { readId } from '../read-id.ts'
import { baseUrl } from '../site.ts'
import { copyText } from '../ui/copy-text.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import styles from './HelpersPage.module.css'
import { NewPassDialog } from './NewPassDialog.tsx'
import { PassRow } from './PassRow.tsx'

/** The phones at the door of an event, and its helper passes: links that open its scanner without an account. */
export function HelpersPage() {
  const eventId = readId(useParams().eventId)
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  const { data: passes } = useSuspenseQuery({ ...query(passApi.getPasses, { eventId }), refetchInterval: 10_000 })
  const [isAdding, setAdding] = useState(false)
  const now = serverNow()
  const valid = passes.filter(({ endsAt }) => endsAt > now)
  const ended = passes.filter(({ endsAt }) => endsAt <= now)
  return (
    <div className="page">
      <PageTitle title={boardTexts.titleOf({ event: event.name })} />
      <div className={styles.head}>
        <h1>{boardTexts.title()}</h1>
        <p className="muted">
          <Link to={paths.eventHome(eventId)}>{event.name}</Link>
          {' · '}
          {texts.intro()}
        </p>
      </div>
      <div className={`row ${styles.actions}`}>
        <Button leftSection={<IconUserPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
          {texts.addHelper()}
        </Button>
        <Button
          variant="light"
          component={Link}
          to={paths.practiceCodes(eventId)}
          leftSection={<IconQrcode size={18} aria-hidden />}
        >
          {boardTexts.practiceCodes()}
        </Button>
        <Button
          variant="subtle"
          leftSection={<IconLink size={18} aria-hidden />}
          onClick={() => void copyText(baseUrl() + paths.scanner(eventId))}
        >
          {boardTexts.copyScannerLink()}
        </Button>
      </div>
      <Board event={event} />
      <section className={`card ${styles.list}`} aria-labelledby="passes">
        <h2 id="passes" className={styles.heading}>
          {boardTexts.passes()}
        </h2>
        {valid.length === 0 ? (
          <p className="muted">{texts.nobodyYet()}</p>
        ) : (
          <ul className={styles.passes}>
            {valid.map((pass) => (
              <PassRow key={pass.id} event={event} pass={pass} />
            ))}
          </ul>
        )}
      </section>
      {ended.length > 0 && (
        <details className={styles.ended}>
          <summary className="folds">{texts.endedPasses({ count: ended.length })}</summary>
          <ul className={styles.passes}>
            {ended.map((pass) => (
              <PassRow key={pass.id} event={event} pass={pass} isEnded />
            ))}
          </ul>
        </details>
      )}
      {isAdding && <NewPassDialog event={event} onClose={() => setAdding(false)} />}
    </div>
  )
}
