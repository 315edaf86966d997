import { useState } from 'react'
import { loadAhead } from '../../start/reload-when-gone.ts'
import { MoreButton } from '../../ui/menus/MoreButton.tsx'
import { useOnDemand } from '../../ui/use-on-demand.ts'
import type { EventMenuProps } from './EventMenu.tsx'

// Loads the interface kit too, which the dashboard does not need otherwise.
const loadMenu = async () => (await import('./EventMenu.tsx')).EventMenu

/** The button that opens the event's menu; replaced by the menu's own button once that has loaded. */
export function MoreForEvent(props: EventMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const EventMenu = useOnDemand(loadMenu, isWanted, () => setWanted(false))
  const preload = () => loadAhead(loadMenu)
  if (EventMenu) return <EventMenu {...props} />
  return (
    <MoreButton
      of={props.event.name}
      isOfPage={props.on !== undefined}
      isCompact={props.on !== 'overview'}
      aria-haspopup="menu"
      aria-disabled={isWanted}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWanted(true)}
    />
  )
}
