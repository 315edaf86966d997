import { lazy } from 'react'
import type { OtherPages } from '../PublicPages.tsx'
import { needsFormParts } from '../registrations/form-parts-of.ts'
import type { PageData } from './page-data.ts'

const loadFormParts = () => import('../registrations/form-parts.ts')

/** The pages that the browser loads separately. */
export const lazyPages: OtherPages = {
  RegisterPage: lazy(async () => ({ default: (await import('../registrations/RegisterPage.tsx')).RegisterPage })),
  StaticPage: lazy(async () => ({ default: (await import('./StaticPage.tsx')).StaticPage })),
  formParts: {
    CodeField: lazy(async () => ({ default: (await loadFormParts()).CodeField })),
    MemberField: lazy(async () => ({ default: (await loadFormParts()).MemberField })),
    OrderSum: lazy(async () => ({ default: (await loadFormParts()).OrderSum })),
    VoucherPicker: lazy(async () => ({ default: (await loadFormParts()).VoucherPicker })),
    TicketTypePicker: lazy(async () => ({ default: (await loadFormParts()).TicketTypePicker })),
  },
  WhatNext: lazy(async () => ({ default: (await import('../registrations/WhatNext.tsx')).WhatNext })),
  // Includes the QR code, which is needed only once there is a ticket.
  RegisteredPage: lazy(async () => ({ default: (await import('../registrations/RegisteredPage.tsx')).RegisteredPage })),
  TicketPage: lazy(async () => ({
    default: (await import('../registrations/ticket/RenderedTicket.tsx')).RenderedTicket,
  })),
  SignInPage: lazy(async () => ({ default: (await import('../auth/SignInPage.tsx')).SignInPage })),
  SignUpPage: lazy(async () => ({ default: (await import('../auth/SignUpPage.tsx')).SignUpPage })),
  AccountLinkPage: lazy(async () => ({ default: (await import('../auth/AccountLinkPage.tsx')).AccountLinkPage })),
}

/**
 * The same with what has to be there when the page is hydrated: rendered again before they have loaded, its fields would lose what was typed.
 * Fails when it cannot be loaded: the page then stays as the server rendered it, which works.
 */
export async function pagesFor(data: PageData): Promise<OtherPages> {
  if (data.page !== 'event' || !needsFormParts(data)) return lazyPages
  return { ...lazyPages, formParts: await loadFormParts() }
}
