import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import * as texts from '../../texts/generated/staff.ts'
import { AccountMenu } from '../layouts/account/AccountMenu.tsx'
import { ClubNav } from '../layouts/account/ClubNav.tsx'
import type { SessionUser } from '../session/session.ts'
import { Keys } from '../shortcuts/Keys.tsx'
import { ariaKeysOf, shortcuts } from '../shortcuts/shortcuts.ts'
import { usePageShortcuts } from '../shortcuts/use-page-shortcuts.ts'
import { loadAhead } from '../start/reload-when-gone.ts'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import { useOnDemand } from '../ui/use-on-demand.ts'

// Both load the interface kit, which not every page has.
const loadPalette = async () => (await import('./Palette.tsx')).Palette
const loadShortcuts = async () => (await import('../shortcuts/ShortcutsDialog.tsx')).ShortcutsDialog

interface Props {
  user: SessionUser
  /** The event whose page is open. */
  eventId: number | null
  isScanner: boolean
}

/** Staff's part of the top bar. A scanner that acts as a keyboard types on its page, so that one has no search and no shortcuts. */
export function StaffTools({ isScanner, ...props }: Props) {
  const { user } = props
  return (
    <>
      {isScanner ? <AccountMenu user={user} /> : <SearchAndMenu {...props} />}
      <ClubNav user={user} />
    </>
  )
}

/** The button that opens the search, the account's menu, and the keyboard shortcuts of the page. */
function SearchAndMenu({ user, eventId }: Omit<Props, 'isScanner'>) {
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null)
  const close = () => setOpen(null)
  // Here, because one of the two dialogs may replace the other.
  useFocusReturn(open !== null)
  usePageShortcuts({
    onPalette: () => setOpen(open === 'palette' ? null : 'palette'),
    onHelp: () => setOpen('shortcuts'),
  })
  const Palette = useOnDemand(loadPalette, open === 'palette', close)
  const ShortcutsDialog = useOnDemand(loadShortcuts, open === 'shortcuts', close)
  const preload = () => loadAhead(loadPalette)
  return (
    <>
      <button
        type="button"
        className="search"
        aria-keyshortcuts={ariaKeysOf(shortcuts.palette)}
        aria-haspopup="dialog"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen('palette')}
      >
        <IconSearch size={20} stroke={1.75} aria-hidden />
        <span>{texts.search()}</span>
        <span className="keys" aria-hidden>
          <Keys of="palette" />
        </span>
      </button>
      <AccountMenu user={user} onShortcuts={() => setOpen('shortcuts')} />
      {Palette && (
        <Palette
          user={user}
          eventId={eventId}
          isOpen={open === 'palette'}
          onClose={close}
          onShortcuts={() => setOpen('shortcuts')}
        />
      )}
      {ShortcutsDialog && <ShortcutsDialog isOpen={open === 'shortcuts'} onClose={close} />}
    </>
  )
}
