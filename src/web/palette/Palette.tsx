import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as texts from '../../texts/generated/search.ts'
import * as staffTexts from '../../texts/generated/staff.ts'
import { Kit } from '../layouts/Kit.tsx'
import { may } from '../session/may.ts'
import type { SessionUser } from '../session/session.ts'
import { breakpoints } from '../ui/breakpoints.ts'
import { useTopmost } from '../ui/dialogs/use-topmost.ts'
import { type Entry, searchGroups } from './entries.ts'
import styles from './Palette.module.css'
import { PaletteField } from './PaletteField.tsx'
import { useFoundAttendees } from './use-found-attendees.ts'
import { useGroups } from './use-groups.ts'

interface Props {
  user: SessionUser
  /** The event whose page is open. */
  eventId: number | null
  isOpen: boolean
  onClose: () => void
  onShortcuts: () => void
}

/** The search of staff: goes to events, sections, attendees and actions by a part of their name. */
export function Palette({ user, eventId, isOpen, onClose, onShortcuts }: Props) {
  const [typed, setTyped] = useState('')
  if (!isOpen && typed !== '') setTyped('')
  const close = useTopmost(isOpen, onClose)
  const navigate = useNavigate()
  const isPhone = useMediaQuery(`(max-width: ${breakpoints.sm - 1}px)`, false, { getInitialValueInEffect: false })
  const { groups, source } = useGroups({ user, eventId, isOpen, isIdle: typed.trim() === '', onShortcuts })
  const people = useFoundAttendees(isOpen && may(user, 'read') ? eventId : null, typed)
  const choose = ({ target }: Entry) => {
    onClose()
    if ('run' in target) target.run()
    else if ('href' in target) window.location.assign(target.href)
    else void navigate(target.to, { replace: target.replace ?? false, state: target.state })
  }
  // Attendees come last, because what arrives late must not move what is about to be chosen.
  const found = [...searchGroups(groups, typed), ...(people.group ? [people.group] : [])]
  return (
    <Kit>
      <Modal.Root
        opened={isOpen}
        onClose={close}
        fullScreen={isPhone}
        size="40rem"
        yOffset="8dvh"
        returnFocus={false}
        transitionProps={{ duration: 0 }}
      >
        <Modal.Overlay />
        <Modal.Content aria-label={staffTexts.search()}>
          <Modal.Body className={styles.body}>
            <PaletteField
              typed={typed}
              groups={found}
              isSearching={people.isSearching || (source?.isLoading ?? false)}
              hint={eventId === null && user.role === 'admin' && may(user, 'read') ? texts.openEventFirst() : ''}
              findsPeople={eventId !== null}
              failures={[
                ...(source?.isError && !source.data
                  ? [{ text: texts.eventsNotRead(), retry: () => void source.refetch() }]
                  : []),
                ...(people.isFailed ? [{ text: texts.attendeesNotSearched(), retry: people.retry }] : []),
              ]}
              onType={setTyped}
              onChoose={choose}
              onClose={close}
            />
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </Kit>
  )
}
