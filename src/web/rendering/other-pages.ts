import { lazy } from 'react'
import type { OtherPages } from '../PublicPages.tsx'

/** The pages that the browser loads separately. */
export const lazyPages: OtherPages = {
  RegisterPage: lazy(async () => ({ default: (await import('../registrations/RegisterPage.tsx')).RegisterPage })),
  StaticPage: lazy(async () => ({ default: (await import('./StaticPage.tsx')).StaticPage })),
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
