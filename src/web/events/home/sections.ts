import {
  IconChartBar,
  IconForms,
  IconGlassFull,
  IconHome,
  IconIdBadge2,
  IconScan,
  IconSettings,
  IconTicket,
  IconUsers,
} from '@tabler/icons-react'
import * as texts from '../../../texts/generated/sections.ts'
import * as paths from '../../paths.ts'

/**
 * The sections of an event. The rare ones are behind “More” on phones; `words` finds a section by other names. `needs` is the permission of those
 * who see it; `within` are the pages that belong to it.
 */
export const sections = [
  {
    name: texts.overview,
    path: paths.eventHome,
    within: [],
    Icon: IconHome,
    isRare: false,
    needs: 'read',
    words: texts.overviewWords,
  },
  {
    name: texts.attendees,
    path: paths.attendees,
    within: [],
    Icon: IconUsers,
    isRare: false,
    needs: 'read',
    words: texts.attendeesWords,
  },
  {
    name: texts.form,
    path: paths.form,
    within: [],
    Icon: IconForms,
    isRare: true,
    needs: 'events',
    words: texts.formWords,
  },
  {
    name: texts.tickets,
    path: paths.ticketTypes,
    within: [],
    Icon: IconTicket,
    isRare: true,
    needs: 'read',
    words: texts.ticketsWords,
  },
  {
    name: texts.vouchers,
    path: paths.vouchers,
    within: [],
    Icon: IconGlassFull,
    isRare: true,
    needs: 'read',
    words: texts.vouchersWords,
  },
  {
    name: texts.door,
    path: paths.scanner,
    within: [paths.paperEntry],
    Icon: IconScan,
    isRare: false,
    needs: 'door',
    words: texts.doorWords,
  },
  {
    name: texts.statistics,
    path: paths.statistics,
    within: [],
    Icon: IconChartBar,
    isRare: false,
    needs: 'read',
    words: texts.statisticsWords,
  },
  {
    name: texts.helpers,
    path: paths.helpers,
    within: [paths.practiceCodes],
    Icon: IconIdBadge2,
    isRare: true,
    needs: 'events',
    words: texts.helpersWords,
  },
  {
    name: texts.settings,
    path: paths.editEvent,
    within: [paths.translations],
    Icon: IconSettings,
    isRare: true,
    needs: 'events',
    words: texts.settingsWords,
  },
] as const
