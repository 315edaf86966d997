import {
  IconBuildingCommunity,
  IconExternalLink,
  IconFileText,
  IconKey,
  IconLayoutDashboard,
  IconSettings,
} from '@tabler/icons-react'
import type { clubApi } from '../../contract/clubs.ts'
import type { Payload } from '../../contract/endpoint.ts'
import { pageTitles, pageTypes } from '../../contract/pages.ts'
import { paths } from '../paths.ts'
import type { Entry, Group } from './entries.ts'

type Clubs = Payload<typeof clubApi.getAllClubs>

/** Each club has three entries. */
const MOST_CLUBS = { idle: 2, found: 4 }

/** Where the operator can go. */
export function sudoGroups(clubs: Clubs, isIdle: boolean): Group[] {
  const most = 3 * (isIdle ? MOST_CLUBS.idle : MOST_CLUBS.found)
  return [
    { title: 'Clubs', entries: clubs.flatMap(clubEntries), most },
    {
      title: 'Operator',
      entries: [
        {
          key: 'dashboard',
          label: 'All clubs',
          words: 'dashboard home health mail',
          Icon: IconLayoutDashboard,
          target: { to: paths.sudoDashboard },
        },
        {
          key: 'add-club',
          label: 'Add a club',
          words: 'new create',
          Icon: IconBuildingCommunity,
          target: { to: paths.addClub },
        },
        ...pageTypes.map((type) => ({
          key: `page-${type}`,
          label: `Edit “${pageTitles[type]()}”`,
          words: 'static page text',
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
      label: `${name}: page with its events`,
      words: `${words} public view`,
      Icon: IconExternalLink,
      target: { href: paths.club(id) },
    },
    {
      key: `club-${id}-edit`,
      isName,
      label: `${name}: edit`,
      words: `${words} settings`,
      Icon: IconSettings,
      target: { to: paths.editClub(id) },
    },
    {
      key: `club-${id}-credentials`,
      isName,
      label: `${name}: admins`,
      words: `${words} credentials password`,
      Icon: IconKey,
      target: { to: paths.credential(id) },
    },
  ]
}
