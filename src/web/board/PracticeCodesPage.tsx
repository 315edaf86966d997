import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { eventApi } from '../../contract/events.ts'
import { practiceCode, practiceKinds } from '../../contract/values/practice-codes.ts'
import * as texts from '../../texts/generated/board.ts'
import { query } from '../api/query.ts'
import { kindTexts } from '../door/practice/kind-texts.ts'
import * as paths from '../paths.ts'
import { readId } from '../read-id.ts'
import { QrCode } from '../ui/codes/QrCode.tsx'
import { PageTitle } from '../ui/PageTitle.tsx'
import styles from './PracticeCodes.module.css'

/** The codes that helpers practise with, to scan from the screen or from paper. They are the same for every event. */
export function PracticeCodesPage() {
  const eventId = readId(useParams().eventId)
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  return (
    <div className={`page ${styles.sheet}`}>
      <PageTitle title={texts.codesTitle({ event: event.name })} />
      <div className="row spread">
        <div>
          <h1>{texts.practiceCodes()}</h1>
          <p className={`muted ${styles.back}`}>
            <Link to={paths.helpers(eventId)}>{texts.backToPhones()}</Link>
          </p>
        </div>
        <Button
          className={styles.print}
          leftSection={<IconPrinter size={18} aria-hidden />}
          onClick={() => window.print()}
        >
          {texts.print()}
        </Button>
      </div>
      <p className={styles.intro}>{texts.codesIntro()}</p>
      <ul className={styles.codes}>
        {practiceKinds.map((kind) => {
          const { name, advice } = kindTexts[kind]
          return (
            <li key={kind} className="card">
              <div className={styles.code}>
                <QrCode text={practiceCode(kind)} label={texts.codeOf({ name: name() })} />
              </div>
              <h2>{name()}</h2>
              <p className="small">{advice()}</p>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
