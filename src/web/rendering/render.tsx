import { renderToString } from 'react-dom/server'
import { Refusal } from '../../contract/errors.ts'
import type { PageRenderer } from '../../contract/page-renderer.ts'
import { inLanguage } from '../../texts/language.ts'
import { App } from '../App.tsx'
import { noteServerTime } from '../api/server-time.ts'
import { AccountLinkPage } from '../auth/AccountLinkPage.tsx'
import { SignInPage } from '../auth/SignInPage.tsx'
import { SignUpPage } from '../auth/SignUpPage.tsx'
import { type OtherPages, PublicPage } from '../PublicPages.tsx'
import * as formParts from '../registrations/form-parts.ts'
import { RegisteredPage } from '../registrations/RegisteredPage.tsx'
import { RegisterPage } from '../registrations/RegisterPage.tsx'
import { RenderedTicket } from '../registrations/ticket/RenderedTicket.tsx'
import { WhatNext } from '../registrations/WhatNext.tsx'
import { RenderedPageProvider } from '../rendered-page.ts'
import { tellSite } from '../site.ts'
import { renderedTitle } from '../ui/PageTitle.tsx'
import { oneByOne, readFrom, readPage } from './read-page.ts'
import { StaticPage } from './StaticPage.tsx'
import { submitForm } from './submit-form.ts'

const others: OtherPages = {
  RegisterPage,
  StaticPage,
  formParts,
  WhatNext,
  RegisteredPage,
  TicketPage: RenderedTicket,
  SignInPage,
  SignUpPage,
  AccountLinkPage,
}

/** The public pages for the server. */
export const renderer: PageRenderer = {
  read: async ({ address, now }, ask) => {
    noteServerTime(now.toISOString())
    try {
      const { page } = await readPage(address, readFrom(ask))
      return page === 'no ticket' ? 404 : 200
    } catch (error) {
      if (error instanceof Refusal) return error.status
      throw error
    }
  },
  render: async ({ address, answers, now, site, stamp, submitted, language }) => {
    const data = await readPage(address, readFrom(oneByOne(answers)))
    // Right before rendering, which is synchronous, because the components read the clock.
    noteServerTime(now.toISOString())
    tellSite(site)
    return inLanguage(language, () => {
      const html = renderToString(
        <App>
          <RenderedPageProvider value={{ submitted, stamp, address, refresh: async () => {} }}>
            <PublicPage data={data} others={others} />
          </RenderedPageProvider>
        </App>,
      )
      return { html, title: renderedTitle() }
    })
  },
  submit: async (form, ask) => {
    noteServerTime(form.now.toISOString())
    try {
      return await submitForm(form, ask)
    } catch (error) {
      if (error instanceof Refusal) return { status: error.status, submitted: null }
      throw error
    }
  },
}
