import {
  IconBuildingCommunity,
  IconCalendarEvent,
  IconCalendarPlus,
  IconCopy,
  IconExternalLink,
  IconFileExport,
  IconFiles,
  IconHistory,
  IconLanguage,
  IconLayoutDashboard,
  IconPrinter,
  IconSettings,
  IconUserPlus,
  IconUserSearch,
  IconUsersGroup,
} from '@tabler/icons-react'
import { attendeeApi } from '../../contract/attendees.ts'
import type { Event } from '../../contract/event.ts'
import { eventApi } from '../../contract/events.ts'
import { formatDate } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/search.ts'
import { download } from '../api/download.ts'
import { ADD_SOMEBODY } from '../attendees/use-add-dialog.ts'
import { sections } from '../events/home/sections.ts'
import { StateBadge } from '../events/StateBadge.tsx'
import * as paths from '../paths.ts'
import { may } from '../session/may.ts'
import type { SessionUser } from '../session/session.ts'
import { baseUrl } from '../site.ts'
import { copyText } from '../ui/copy-text.ts'
import type { Entry, Group } from './entries.ts'
import { upcomingFirst } from './event-order.ts'
import styles from './Palette.module.css'

/** How many events are listed before anything is typed, and then. */
const MOST_EVENTS = { idle: 5, found: 8 }

interface Facts {
  user: SessionUser
  clubId: number
  events: readonly Event[]
  /** The event whose page is open. */
  event: Event | null
  now: Date
  isIdle: boolean
  onCopyEvent: (event: Event) => void
}

/** Where the staff of a club can go, and what they can do. */
export function adminGroups({ user, clubId, events, event, now, isIdle, onCopyEvent }: Facts): Group[] {
  const most = isIdle ? MOST_EVENTS.idle : MOST_EVENTS.found
  const ordered = upcomingFirst(events, now)
  const at = ordered.findIndex(({ endsAt }) => endsAt <= now)
  const entries = ordered.map((each) => eventEntry(user, each, now))
  const cut = at === -1 ? entries.length : at
  const eventGroups = isIdle
    ? [{ title: texts.events(), entries, most }]
    : [
        { title: texts.events(), entries: entries.slice(0, cut), most },
        { title: texts.pastEvents(), entries: entries.slice(cut), most },
      ]
  const ofEvent = event && { title: event.name, entries: sectionEntries(user, event) }
  const actions = event && { title: texts.actions(), entries: eventActions(user, event, { now, onCopyEvent }) }
  return [
    // The sections are beside the page already: before anything is typed, other events and actions come first.
    ...(isIdle ? [...eventGroups, actions, ofEvent] : [ofEvent, actions, ...eventGroups]).filter(
      (group) => group !== null,
    ),
    { title: texts.yourClub(), entries: clubEntries(user, clubId) },
  ]
}

function eventEntry(user: SessionUser, event: Event, now: Date): Entry {
  return {
    key: `event-${event.id}`,
    label: event.name,
    note: (
      <>
        <span className={styles.date}>{formatDate(event.startsAt, event.timeZone)}</span>{' '}
        <StateBadge event={event} now={now} />
      </>
    ),
    words: event.location,
    isName: true,
    Icon: IconCalendarEvent,
    target: { to: may(user, 'read') ? paths.eventHome(event.id) : paths.scanner(event.id) },
  }
}

function sectionEntries(user: SessionUser, { id }: Event): Entry[] {
  return sections
    .filter(({ needs }) => may(user, needs))
    .map(({ name, path, Icon, words }) => ({
      key: `section-${path(id)}`,
      label: name(),
      words: words(),
      Icon,
      target: { to: path(id) },
    }))
}

function eventActions(
  user: SessionUser,
  event: Event,
  { now, onCopyEvent }: Pick<Facts, 'now' | 'onCopyEvent'>,
): Entry[] {
  const { id, status } = event
  // A refusal has been shown by the download itself.
  const save = (file: Promise<void>) => void file.catch(() => {})
  const isShared = status === 'published' && event.endsAt > now
  return [
    ...(may(user, 'attendees')
      ? [
          {
            key: 'add-somebody',
            label: texts.addSomebody(),
            words: texts.addSomebodyWords(),
            Icon: IconUserPlus,
            target: { to: paths.attendees(id), state: ADD_SOMEBODY },
          },
        ]
      : []),
    ...(may(user, 'export')
      ? [
          {
            key: 'export',
            label: texts.exportAttendees(),
            words: texts.exportWords(),
            Icon: IconFileExport,
            target: { run: () => save(download(attendeeApi.downloadAttendees, { eventId: id })) },
          },
        ]
      : []),
    ...(status === 'published'
      ? [
          {
            key: 'copy-link',
            label: texts.copyLink(),
            words: texts.copyLinkWords(),
            Icon: IconCopy,
            target: { run: () => void copyText(baseUrl() + paths.event(event)) },
          },
        ]
      : []),
    ...(may(user, 'events')
      ? [
          {
            key: 'translations',
            label: texts.translations(),
            words: texts.translationsWords(),
            Icon: IconLanguage,
            target: { to: paths.translations(id) },
          },
        ]
      : []),
    {
      key: 'view-page',
      label: status === 'draft' ? texts.previewPage() : texts.viewPage(),
      words: texts.viewWords(),
      Icon: IconExternalLink,
      target: { href: paths.event(event) },
    },
    ...(isShared
      ? [
          {
            key: 'poster',
            label: texts.savePoster(),
            words: texts.posterWords(),
            Icon: IconPrinter,
            target: { run: () => save(download(eventApi.getPoster, { eventId: id, size: 'A4' })) },
          },
        ]
      : []),
    ...(may(user, 'events')
      ? [
          {
            key: 'copy-event',
            label: texts.duplicate(),
            words: texts.duplicateWords(),
            Icon: IconFiles,
            target: { run: () => onCopyEvent(event) },
          },
        ]
      : []),
  ]
}

function clubEntries(user: SessionUser, clubId: number): Entry[] {
  return [
    ...(may(user, 'team')
      ? [
          {
            key: 'team',
            label: texts.team(),
            words: texts.teamWords(),
            Icon: IconUsersGroup,
            target: { to: paths.team },
          },
        ]
      : []),
    ...(may(user, 'events')
      ? [
          {
            key: 'history',
            label: texts.history(),
            words: texts.historyWords(),
            Icon: IconHistory,
            target: { to: paths.history },
          },
        ]
      : []),
    ...(may(user, 'attendees')
      ? [
          {
            key: 'personal-data',
            label: texts.personalData(),
            words: texts.personalDataWords(),
            Icon: IconUserSearch,
            target: { to: paths.personalData },
          },
        ]
      : []),
    ...(may(user, 'events')
      ? [
          {
            key: 'add-event',
            label: texts.addEvent(),
            words: texts.newWords(),
            Icon: IconCalendarPlus,
            target: { to: paths.addEvent },
          },
        ]
      : []),
    {
      key: 'dashboard',
      label: texts.dashboard(),
      words: texts.dashboardWords(),
      Icon: IconLayoutDashboard,
      target: { to: paths.adminDashboard },
    },
    {
      key: 'club-page',
      label: texts.clubPage(),
      words: texts.clubPageWords(),
      Icon: IconBuildingCommunity,
      target: { href: paths.club(clubId) },
    },
    ...(may(user, 'club')
      ? [
          {
            key: 'edit-club',
            label: texts.clubSettings(),
            words: texts.clubSettingsWords(),
            Icon: IconSettings,
            target: { to: paths.editClub(clubId) },
          },
        ]
      : []),
  ]
}
