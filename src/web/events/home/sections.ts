import {
  type Icon,
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
import type { Permission } from '../../../contract/permissions.ts'
import * as texts from '../../../texts/generated/sections.ts'
import type { Message } from '../../../texts/language.ts'
import * as paths from '../../paths.ts'

interface Section {
  name: Message
  path: (eventId: number) => string
  /** The pages that belong to it. */
  within?: readonly ((eventId: number) => string)[]
  Icon: Icon
  /** On phones it is behind “More”. */
  isRare: boolean
  /** The permission of those who see it. */
  needs: Permission
  /** By which other names it is found. */
  words: Message
}

/** The sections of an event. */
export const sections: readonly Section[] = [
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
  {
    name: texts.form,
    path: paths.form,
    Icon: IconForms,
    isRare: true,
    needs: 'events',
    words: texts.formWords,
  },
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
]
