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

/** The sections of an event. The rare ones are behind “More” on phones; `words` finds a section by other names. `needs` is the permission of those who see it. */
export const sections = [
  {
    name: texts.overview,
    path: paths.eventHome,
    Icon: IconHome,
    isRare: false,
    needs: 'read',
    words: texts.overviewWords,
  },
  {
    name: texts.attendees,
    path: paths.attendees,
    Icon: IconUsers,
    isRare: false,
    needs: 'read',
    words: texts.attendeesWords,
  },
  { name: texts.form, path: paths.form, Icon: IconForms, isRare: true, needs: 'events', words: texts.formWords },
  {
    name: texts.tickets,
    path: paths.ticketTypes,
    Icon: IconTicket,
    isRare: true,
    needs: 'read',
    words: texts.ticketsWords,
  },
  {
    name: texts.vouchers,
    path: paths.vouchers,
    Icon: IconGlassFull,
    isRare: true,
    needs: 'read',
    words: texts.vouchersWords,
  },
  { name: texts.door, path: paths.scanner, Icon: IconScan, isRare: false, needs: 'door', words: texts.doorWords },
  {
    name: texts.statistics,
    path: paths.statistics,
    Icon: IconChartBar,
    isRare: false,
    needs: 'read',
    words: texts.statisticsWords,
  },
  {
    name: texts.helpers,
    path: paths.helpers,
    Icon: IconIdBadge2,
    isRare: true,
    needs: 'events',
    words: texts.helpersWords,
  },
  {
    name: texts.settings,
    path: paths.editEvent,
    Icon: IconSettings,
    isRare: true,
    needs: 'events',
    words: texts.settingsWords,
  },
] as const
