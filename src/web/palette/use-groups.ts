import { IconKeyboard, IconLogout, IconUserCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { clubApi } from '../../contract/clubs.ts'
import { eventApi } from '../../contract/events.ts'
import * as texts from '../../texts/generated/search.ts'
import { query } from '../api/query.ts'
import { serverNow } from '../api/server-time.ts'
import { useCopyEvent } from '../events/home/use-copy-event.ts'
import * as paths from '../paths.ts'
import type { SessionUser } from '../session/session.ts'
import { adminGroups } from './admin-groups.tsx'
import type { Entry, Group } from './entries.ts'
import { sudoGroups } from './sudo-groups.ts'

interface Asked {
  user: SessionUser
  /** The event whose page is open. */
  eventId: number | null
  isOpen: boolean
  /** Whether nothing is typed yet. */
  isIdle: boolean
  onShortcuts: () => void
}

/** Everything that can be chosen but attendees, by the role of who is signed in; and the query that it needs. */
export function useGroups({ user, eventId, isOpen, isIdle, onShortcuts }: Asked) {
  const { role, clubId } = user
  const isAdmin = role === 'admin' && clubId !== null
  const { copyEvent } = useCopyEvent()
  const events = useQuery({
    ...query(eventApi.getAllEvents, { clubId: clubId ?? 0 }),
    enabled: isOpen && isAdmin,
    retry: false,
  })
  const clubs = useQuery({ ...query(clubApi.getAllClubs, {}), enabled: isOpen && role === 'sudo', retry: false })
  const now = serverNow()
  const groups = [
    ...(isAdmin
      ? adminGroups({
          user,
          clubId,
          events: events.data ?? [],
          event: events.data?.find(({ id }) => id === eventId) ?? null,
          now,
          isIdle,
          onCopyEvent: (event) => copyEvent(event, now),
        })
      : []),
    ...(role === 'sudo' ? sudoGroups(clubs.data ?? [], isIdle) : []),
    { title: texts.you(), entries: ownEntries(onShortcuts) } satisfies Group,
  ]
  return { groups, source: isAdmin ? events : role === 'sudo' ? clubs : null }
}

/** Phones and tablets, which have no keyboard; the account's menu uses the same query. */
const touchOnly = '(hover: none) and (pointer: coarse)'

function ownEntries(onShortcuts: () => void): Entry[] {
  return [
    {
      key: 'profile',
      label: texts.profile(),
      words: texts.profileWords(),
      Icon: IconUserCircle,
      target: { to: paths.profile },
    },
    ...(window.matchMedia(touchOnly).matches
      ? []
      : [
          {
            key: 'shortcuts',
            label: texts.keyboardShortcuts(),
            words: texts.shortcutsWords(),
            Icon: IconKeyboard,
            target: { run: onShortcuts },
          },
        ]),
    {
      key: 'signout',
      label: texts.signOut(),
      words: texts.signOutWords(),
      Icon: IconLogout,
      target: { to: paths.signout },
    },
  ]
}
