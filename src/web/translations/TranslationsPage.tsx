import { Button, Stack } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { clubApi } from '../../contract/clubs.ts'
import { eventApi } from '../../contract/events.ts'
import { extrasApi } from '../../contract/extras.ts'
import { formApi } from '../../contract/forms.ts'
import { onSale } from '../../contract/ticket-type.ts'
import { ticketTypeApi } from '../../contract/ticket-types.ts'
import { textsOf, translationApi } from '../../contract/translations.ts'
import { offeredBy } from '../../contract/values/languages.ts'

import * as texts from '../../texts/generated/translations.ts'
import { nameOfLanguage } from '../../texts/numbers.ts'
import { query } from '../api/query.ts'
import * as paths from '../paths.ts'
import { readId } from '../read-id.ts'
import { useMay } from '../session/may.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { Parts } from '../ui/Parts.tsx'
import { TranslationsForm } from './TranslationsForm.tsx'

/** What an event says in the other languages of its club. */
export function TranslationsPage() {
  const eventId = readId(useParams().eventId)
  const { data: event } = useSuspenseQuery(query(eventApi.getEvent, { eventId }))
  const { data: club } = useSuspenseQuery(query(clubApi.getClub, { clubId: event.clubId }))
  const { data: questions } = useSuspenseQuery(query(formApi.getFormQuestions, { eventId }))
  const { data: extras } = useSuspenseQuery(query(extrasApi.getExtras, { eventId }))
  const { data: types } = useSuspenseQuery(query(ticketTypeApi.getTicketTypes, { eventId }))
  const { data: translations } = useSuspenseQuery(query(translationApi.getTranslations, { eventId }))
  const client = useQueryClient()
  const may = useMay()
  const [main, ...others] = offeredBy(club)
  // A club that changes its main language still reaches what it translated into that one.
  const languages = main && translations.some(({ language }) => language === main) ? [main, ...others] : others
  return (
    <div className="page narrow">
      <PageTitle title={texts.title({ event: event.name })} />
      <h1>{texts.translations()}</h1>
      <p className="muted">
        <Parts
          of={texts.subtitle({
            event: event.name,
            link: (text) => <Link to={paths.eventHome(eventId)}>{text}</Link>,
          })}
        />
      </p>
      {main === undefined || languages.length === 0 ? (
        <Stack className="card" align="start">
          <p>{texts.oneLanguage()}</p>
          {may('club') ? (
            <Button component={Link} to={paths.editClub(club.id)} state={paths.translations(eventId)}>
              {texts.chooseLanguages()}
            </Button>
          ) : (
            <p className="muted">{texts.ownerChoosesLanguages()}</p>
          )}
        </Stack>
      ) : (
        <>
          <p className="muted">{texts.howItWorks({ main: nameOfLanguage(main) })}</p>
          <TranslationsForm
            eventId={eventId}
            languages={languages}
            own={textsOf({ event, questions, extras, ticketTypes: onSale(types) })}
            stored={translations}
            onConflict={() => client.invalidateQueries()}
          />
        </>
      )}
    </div>
  )
}
