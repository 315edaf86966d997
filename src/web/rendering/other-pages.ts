import { lazy } from 'react'
import type { OtherPages } from '../PublicPages.tsx'
import { needsFormParts } from '../registrations/form-parts-of.ts'
import type { PageData } from './page-data.ts'

const loadFormParts = () => import('../registrations/form-parts.ts')

const load = {
  RegisterPage: async () => (await import('../registrations/RegisterPage.tsx')).RegisterPage,
  StaticPage: async () => (await import('./StaticPage.tsx')).StaticPage,
  // This page and the next include the QR code, which is needed only once there is a ticket.
  RegisteredPage: async () => (await import('../registrations/RegisteredPage.tsx')).RegisteredPage,
  TicketPage: async () => (await import('../registrations/ticket/RenderedTicket.tsx')).RenderedTicket,
  SignInPage: async () => (await import('../auth/SignInPage.tsx')).SignInPage,
  SignUpPage: async () => (await import('../auth/SignUpPage.tsx')).SignUpPage,
  AccountLinkPage: async () => (await import('../auth/AccountLinkPage.tsx')).AccountLinkPage,
}

/** The pages that the browser loads separately. */
export const lazyPages: OtherPages = {
  RegisterPage: lazy(async () => ({ default: await load.RegisterPage() })),
  StaticPage: lazy(async () => ({ default: await load.StaticPage() })),
  formParts: {
    CodeField: lazy(async () => ({ default: (await loadFormParts()).CodeField })),
    MemberField: lazy(async () => ({ default: (await loadFormParts()).MemberField })),
    OrderSum: lazy(async () => ({ default: (await loadFormParts()).OrderSum })),
    VoucherPicker: lazy(async () => ({ default: (await loadFormParts()).VoucherPicker })),
    TicketTypePicker: lazy(async () => ({ default: (await loadFormParts()).TicketTypePicker })),
  },
  WhatNext: lazy(async () => ({ default: (await import('../registrations/WhatNext.tsx')).WhatNext })),
  RegisteredPage: lazy(async () => ({ default: await load.RegisteredPage() })),
  TicketPage: lazy(async () => ({ default: await load.TicketPage() })),
  SignInPage: lazy(async () => ({ default: await load.SignInPage() })),
  SignUpPage: lazy(async () => ({ default: await load.SignUpPage() })),
  AccountLinkPage: lazy(async () => ({ default: await load.AccountLinkPage() })),
}

/**
 * The same with the page's own parts loaded, for hydration. While parts are still loading, React stops input events; if they cannot be
 * loaded, it shows an error in place of the page. This rejects instead: the page stays as the server rendered it.
 */
export async function pagesFor(data: PageData): Promise<OtherPages> {
  switch (data.page) {
    case 'event': {
      const parts = needsFormParts(data) ? loadFormParts() : lazyPages.formParts
      const [RegisterPage, formParts] = await Promise.all([load.RegisterPage(), parts])
      return { ...lazyPages, RegisterPage, formParts }
    }
    case 'registered':
      return { ...lazyPages, RegisteredPage: await load.RegisteredPage() }
    case 'ticket':
    case 'voucher':
    case 'order':
    case 'no ticket':
      return { ...lazyPages, TicketPage: await load.TicketPage() }
    case 'sign in':
      return { ...lazyPages, SignInPage: await load.SignInPage() }
    case 'sign up':
      return { ...lazyPages, SignUpPage: await load.SignUpPage() }
    case 'forgot password':
    case 'reset password':
    case 'confirm address':
      return { ...lazyPages, AccountLinkPage: await load.AccountLinkPage() }
    case 'invitation':
      // The server renders it without its form, so nothing typed can be lost, and the error page offers to try again.
      return lazyPages
    default:
      return { ...lazyPages, StaticPage: await load.StaticPage() }
  }
}
