import {
  IconBuildingCommunity,
  IconExternalLink,
  IconFileText,
  IconKey,
  IconLayoutDashboard,
  IconServer,
  IconSettings,
} from '@tabler/icons-react'
import type { clubApi } from '../../contract/clubs.ts'
import type { Payload } from '../../contract/endpoint.ts'
import { pageTitles, pageTypes } from '../../contract/pages.ts'
import * as texts from '../../texts/generated/search.ts'
import * as paths from '../paths.ts'
import type { Entry, Group } from './entries.ts'

type Clubs = Payload<typeof clubApi.getAllClubs>

/** Each club has three entries. */
const MOST_CLUBS = { idle: 2, found: 4 }

/** Where the operator can go. */
export function sudoGroups(clubs: Clubs, isIdle: boolean): Group[] {
  const most = 3 * (isIdle ? MOST_CLUBS.idle : MOST_CLUBS.found)
  return [
    { title: texts.clubs(), entries: clubs.flatMap(clubEntries), most },
    {
      title: texts.operator(),
      entries: [
        {
          key: 'dashboard',
          label: texts.allClubs(),
          words: texts.allClubsWords(),
          Icon: IconLayoutDashboard,
          target: { to: paths.sudoDashboard },
        },
        {
          key: 'platform',
          label: texts.platform(),
          words: texts.platformWords(),
          Icon: IconServer,
          target: { to: paths.platform },
        },
        {
          key: 'add-club',
          label: texts.addClub(),
          words: texts.newWords(),
          Icon: IconBuildingCommunity,
          target: { to: paths.addClub },
        },
        ...pageTypes.map((type) => ({
          key: `page-${type}`,
          label: texts.editPage({ name: pageTitles[type]() }),
          words: texts.staticPageWords(),
          Icon: IconFileText,
          target: { to: paths.editPage(type) },
        })),
      ],
    },
  ]
}

function clubEntries({ id, name, location, email }: Clubs[number]): Entry[] {
  const words = `${location} ${email}`
  const isName = true
  return [
    {
      key: `club-${id}-page`,
      isName,
      label: texts.clubPageOf({ club: name }),
      words: `${words} ${texts.clubPageWords()}`,
      Icon: IconExternalLink,
      target: { href: paths.club(id) },
    },
    {
      key: `club-${id}-edit`,
      isName,
      label: texts.clubEditOf({ club: name }),
      words: `${words} ${texts.clubEditWords()}`,
      Icon: IconSettings,
      target: { to: paths.editClub(id) },
    },
    {
      key: `club-${id}-credentials`,
      isName,
      label: texts.clubAdminsOf({ club: name }),
      words: `${words} ${texts.clubAdminsWords()}`,
      Icon: IconKey,
      target: { to: paths.credential(id) },
    },
  ]
}
