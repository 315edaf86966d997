import { IconChartBar, IconForms, IconHome, IconScan, IconSettings, IconTicket, IconUsers } from '@tabler/icons-react'
import { paths } from '../../paths.ts'

/** The sections of an event. The rare ones are behind “More” on phones; `words` finds a section by other names. */
export const sections = [
  { name: 'Overview', path: paths.eventHome, Icon: IconHome, isRare: false, words: 'event home share poster' },
  {
    name: 'Attendees',
    path: paths.attendees,
    Icon: IconUsers,
    isRare: false,
    words: 'people guests registrations list',
  },
  { name: 'Form', path: paths.form, Icon: IconForms, isRare: true, words: 'registration questions' },
  { name: 'Vouchers', path: paths.vouchers, Icon: IconTicket, isRare: true, words: 'extras drinks' },
  { name: 'Door', path: paths.scanner, Icon: IconScan, isRare: false, words: 'scanner scan tickets check in' },
  {
    name: 'Statistics',
    path: paths.statistics,
    Icon: IconChartBar,
    isRare: false,
    words: 'numbers income money chart',
  },
  {
    name: 'Settings',
    path: paths.editEvent,
    Icon: IconSettings,
    isRare: true,
    words: 'edit date time place price banner',
  },
] as const
