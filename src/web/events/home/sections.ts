import { IconChartBar, IconForms, IconHome, IconScan, IconSettings, IconTicket, IconUsers } from '@tabler/icons-react'
import * as texts from '../../../texts/generated/sections.ts'
import { paths } from '../../paths.ts'

/** The sections of an event. The rare ones are behind “More” on phones; `words` finds a section by other names. */
export const sections = [
  { name: texts.overview, path: paths.eventHome, Icon: IconHome, isRare: false, words: texts.overviewWords },
  {
    name: texts.attendees,
    path: paths.attendees,
    Icon: IconUsers,
    isRare: false,
    words: texts.attendeesWords,
  },
  { name: texts.form, path: paths.form, Icon: IconForms, isRare: true, words: texts.formWords },
  { name: texts.vouchers, path: paths.vouchers, Icon: IconTicket, isRare: true, words: texts.vouchersWords },
  { name: texts.door, path: paths.scanner, Icon: IconScan, isRare: false, words: texts.doorWords },
  {
    name: texts.statistics,
    path: paths.statistics,
    Icon: IconChartBar,
    isRare: false,
    words: texts.statisticsWords,
  },
  {
    name: texts.settings,
    path: paths.editEvent,
    Icon: IconSettings,
    isRare: true,
    words: texts.settingsWords,
  },
] as const
