import { Menu } from '@mantine/core'
import {
  IconCalendarOff,
  IconChartBar,
  IconClipboardList,
  IconExternalLink,
  IconFiles,
  IconForms,
  IconGlassFull,
  IconLanguage,
  IconLink,
  IconListCheck,
  IconSettings,
  IconShare,
  IconTicket,
  IconTrash,
} from '@tabler/icons-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { doorApi } from '../../../contract/door.ts'
import type { Event } from '../../../contract/event.ts'
import { eventApi } from '../../../contract/events.ts'
import * as texts from '../../../texts/generated/eventMenu.ts'
import { download } from '../../api/download.ts'
import { useCall } from '../../api/query.ts'
import { serverNow } from '../../api/server-time.ts'
import { Kit } from '../../layouts/Kit.tsx'
import * as paths from '../../paths.ts'
import { useMay } from '../../session/may.ts'
import { baseUrl } from '../../site.ts'
import { openContact } from '../../ui/contact-link.ts'
import { copyText } from '../../ui/copy-text.ts'
import { RemovalDialog } from '../../ui/dialogs/RemovalDialog.tsx'
import { MoreButton } from '../../ui/menus/MoreButton.tsx'
import styles from './EventMenu.module.css'
import { useCopyEvent } from './use-copy-event.ts'

export interface EventMenuProps {
  event: Event
  /** The page of the event on which the menu is: the event's sections are beside it, so they are no entries. */
  on?: 'overview' | 'settings'
}

/** Beside its button and never over it. On a low screen the menu scrolls; it does not cover the bar at the top. */
const padding = { top: 76, bottom: 12 }
const inView = { flip: { padding, crossAxis: false }, shift: { padding }, size: { padding } }

const icon = { size: 18, stroke: 1.75, 'aria-hidden': true }

/** For how long a touch on the menu is ignored after it opens, in milliseconds: it is the second tap of two on the button. */
const DOUBLE_TAP = 350

/** The menu of an event. It opens by itself, because it is loaded only when its button is pressed. */
export function EventMenu({ event, on }: EventMenuProps) {
  const navigate = useNavigate()
  const may = useMay()
  const save = useCall(eventApi.save)
  const remove = useCall(eventApi.removeEvent)
  const copy = useCopyEvent()
  const [asked, setAsked] = useState<'cancel' | 'remove' | null>(null)
  const { id, name, status, registrationCount } = event
  const url = baseUrl() + paths.event(event)
  const [isOpen, setOpen] = useState(false)
  const [isPrinting, setPrinting] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  const openedAt = useRef(0)
  useEffect(() => {
    if (isOpen) openedAt.current = performance.now()
  }, [isOpen])
  const ignoreSecondTap = (press: MouseEvent) => {
    const isTouch = press.nativeEvent instanceof PointerEvent && press.nativeEvent.pointerType === 'touch'
    if (!isTouch || performance.now() - openedAt.current > DOUBLE_TAP) return
    press.preventDefault()
    press.stopPropagation()
  }
  useEffect(() => {
    // The pressed button was replaced, so the focus is on the body. If it is elsewhere, the person has moved on.
    if (document.activeElement !== document.body) return
    target.current?.focus()
    setOpen(true)
  }, [])
  const print = async () => {
    setPrinting(true)
    // A refusal has been shown by the download itself.
    await download(doorApi.getPaperList, { eventId: id }).catch(() => {})
    setPrinting(false)
  }
  // The settings of a cancelled event would still be those read before.
  const showCancelled = () => {
    if (on === 'settings') void navigate(paths.eventHome(id))
  }
  const leave = () => {
    if (on) void navigate(paths.adminDashboard, { replace: true })
  }
  const close = () => {
    setAsked(null)
    // The entry of the menu that opened the dialog is gone.
    target.current?.focus()
  }
  return (
    <Kit>
      <Menu
        position="left-start"
        opened={isOpen}
        onChange={setOpen}
        portalProps={{ target: 'main' }}
        middlewares={inView}
        // A menu that scrolls must be reachable with Tab.
        menuItemTabIndex={0}
        classNames={{ dropdown: styles.menu, overlay: styles.backdrop }}
        withOverlay
      >
        <Menu.Target>
          <MoreButton ref={target} of={name} isOfPage={on !== undefined} isCompact={on !== 'overview'} />
        </Menu.Target>
        <Menu.Dropdown onClickCapture={ignoreSecondTap}>
          {!on && (
            <>
              <Menu.Label className={styles.name}>{name}</Menu.Label>
              {may('events') && (
                <>
                  <Menu.Item leftSection={<IconSettings {...icon} />} component={Link} to={paths.editEvent(id)}>
                    {texts.settings()}
                  </Menu.Item>
                  <Menu.Item leftSection={<IconForms {...icon} />} component={Link} to={paths.form(id)}>
                    {texts.registrationForm()}
                  </Menu.Item>
                </>
              )}
              <Menu.Item leftSection={<IconTicket {...icon} />} component={Link} to={paths.ticketTypes(id)}>
                {texts.tickets()}
              </Menu.Item>
              <Menu.Item leftSection={<IconGlassFull {...icon} />} component={Link} to={paths.vouchers(id)}>
                {texts.vouchers()}
              </Menu.Item>
              <Menu.Item leftSection={<IconChartBar {...icon} />} component={Link} to={paths.statistics(id)}>
                {texts.statistics()}
              </Menu.Item>
              <Menu.Divider />
            </>
          )}
          {status === 'published' && (
            <>
              <Menu.Item leftSection={<IconExternalLink {...icon} />} component="a" href={paths.event(event)}>
                {texts.viewThePage()}
              </Menu.Item>
              <Menu.Item leftSection={<IconLink {...icon} />} onClick={() => void copyText(url)}>
                {texts.copyTheLink()}
              </Menu.Item>
              <Menu.Item leftSection={<IconShare {...icon} />} onClick={() => openContact('', `${name}: ${url}`)}>
                {texts.shareOnWhatsapp()}
              </Menu.Item>
            </>
          )}
          {may('door') && registrationCount > 0 && (
            <Menu.Item leftSection={<IconClipboardList {...icon} />} disabled={isPrinting} onClick={() => void print()}>
              {texts.printList()}
            </Menu.Item>
          )}
          {may('search') && registrationCount > 0 && (
            <Menu.Item leftSection={<IconListCheck {...icon} />} component={Link} to={paths.paperEntry(id)}>
              {texts.enterPaper()}
            </Menu.Item>
          )}
          {may('events') && (
            <>
              <Menu.Item leftSection={<IconLanguage {...icon} />} component={Link} to={paths.translations(id)}>
                {texts.translations()}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconFiles {...icon} />}
                disabled={copy.isPending}
                onClick={() => copy.copyEvent(event, serverNow())}
              >
                {texts.duplicate()}
              </Menu.Item>
              <Menu.Divider />
              {status === 'published' && (
                <Menu.Item
                  leftSection={<IconCalendarOff {...icon} />}
                  color="var(--bad)"
                  onClick={() => setAsked('cancel')}
                >
                  {texts.cancelTheEvent()}
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconTrash {...icon} />} color="var(--bad)" onClick={() => setAsked('remove')}>
                {texts.removeTheEvent()}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <RemovalDialog
        title={texts.cancelOne({ name })}
        name={name}
        action={texts.cancelTheEvent()}
        isOpen={asked === 'cancel'}
        isBusy={save.isPending}
        onConfirm={() => save.mutate({ id, status: 'cancelled' }, { onSuccess: showCancelled, onSettled: close })}
        onClose={close}
      >
        <p>
          {texts.cancelling({ count: registrationCount })} {texts.cannotPublishAgain()}
        </p>
      </RemovalDialog>
      <RemovalDialog
        title={texts.removeOne({ name })}
        name={name}
        action={texts.removeTheEvent()}
        isOpen={asked === 'remove'}
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate({ eventId: id }, { onSuccess: leave, onSettled: close })}
        onClose={close}
      >
        <p>{texts.removal({ count: registrationCount })}</p>
      </RemovalDialog>
    </Kit>
  )
}
