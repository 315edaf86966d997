import { useQuery } from '@tanstack/react-query'
import { Outlet, useParams } from 'react-router'
import { Refusal } from '../../../contract/errors.ts'
import { offeredBy } from '../../../contract/values/languages.ts'
import * as texts from '../../../texts/generated/ticket.ts'
import type { Language } from '../../../texts/language.ts'
import { queryClient } from '../../api/query-client.ts'
import { HeaderlessLayout } from '../../layouts/HeaderlessLayout.tsx'
import { storeIn } from '../../offline/keep-offline.ts'
import { readId } from '../../read-id.ts'
import { RenderedPageProvider } from '../../rendered-page.ts'
import { keepLanguage } from '../../session/keep-language.ts'
import { notify } from '../../ui/notices/notify.ts'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { ticketQuery } from './ticket-query.ts'
import { whyNoTicket } from './why-no-ticket.ts'

/** `refresh` reads the shown ticket again. */
const page = {
  submitted: null,
  stamp: '',
  address: '/',
  refresh: () => queryClient.invalidateQueries(),
  chooseLanguage,
}

/** How long the files of another language are waited for, in ms: a page that changes much later would surprise. */
const WAIT_MS = 30_000
let isChanging = false

/** The page's files are stored in one language, so those of the new one are fetched first: without network the ticket stays open. */
async function chooseLanguage(language: Language): Promise<void> {
  if (isChanging) return
  isChanging = true
  notify('info', texts.languageChanges())
  const isLate = new Promise<false>((resolve) => setTimeout(() => resolve(false), WAIT_MS))
  if (await Promise.race([storeIn(language, 'ticket'), isLate])) {
    keepLanguage(language)
    window.location.reload()
    return
  }
  isChanging = false
  notify('error', texts.languageNotChanged())
}

/** The layout that the server gives to tickets too. */
export function TicketLayout() {
  const { id, qrUuid = '' } = useParams()
  const holder = { registrationId: readId(id), qrUuid }
  // The page below reads it.
  const { data: ticket, error } = useQuery({ ...ticketQuery(holder), enabled: false })
  const club = ticket?.club ?? (error instanceof Refusal ? whyNoTicket(error).former?.club : undefined)
  return (
    <RenderedPageProvider value={page}>
      {/* As the server does it: without a club, in all languages. None before it is known. */}
      <HeaderlessLayout offered={club ? offeredBy(club) : error ? undefined : []}>
        <PageTitle title={texts.ticket()} />
        <Outlet />
      </HeaderlessLayout>
    </RenderedPageProvider>
  )
}
