import { useEffect, useEffectEvent } from 'react'
import { shortcutAt, shortcuts } from './shortcuts.ts'
import { hasSingleKeys } from './single-keys.ts'

/** Where keys mean text, or move in a list. */
const TYPING =
  'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable], [role=menu], [role=listbox]'

interface Handlers {
  onPalette: () => void
  onHelp: () => void
}

/** Handles the shortcuts that work everywhere on the page. What a field does with a key comes first. */
export function usePageShortcuts({ onPalette, onHelp }: Handlers): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const name = shortcutAt('page', event)
    if (name === null || (!shortcuts[name].mod && !canTakeSingleKey(event.target))) return
    const search = document.querySelector<HTMLInputElement>('main input[type=search]')
    if (name === 'find' && !search) return
    // While the keys are held too: the browser has a use of its own for them.
    event.preventDefault()
    if (event.repeat) return
    if (name === 'palette') onPalette()
    else if (name === 'help') onHelp()
    else {
      search?.focus()
      search?.select()
    }
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

function canTakeSingleKey(target: EventTarget | null): boolean {
  const isTyping = target instanceof Element && target.closest(TYPING) !== null
  return hasSingleKeys() && !isTyping && document.querySelector('[role=dialog]') === null
}
