import { Button, Modal, SimpleGrid, Stack } from '@mantine/core'
import type { Event } from '../../contract/event.ts'
import * as texts from '../../texts/generated/helpers.ts'
import * as paths from '../paths.ts'
import { baseUrl } from '../site.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { QrCode } from '../ui/codes/QrCode.tsx'
import { openContact } from '../ui/contact-link.ts'
import { copyText } from '../ui/copy-text.ts'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import styles from './HelpersPage.module.css'

interface Props {
  event: Event
  /** The helper's name. */
  name: string
  token: string
  onClose: () => void
}

/** The link of a pass, this once: as a code for the helper's phone, to copy, and to send. */
export function LinkDialog({ event, name, token, onClose }: Props) {
  useFocusReturn()
  const url = baseUrl() + paths.pass(token)
  return (
    <Modal opened onClose={onClose} title={texts.passOf({ name })} closeOnClickOutside={false}>
      <Stack gap="sm">
        <p>{texts.scanIt()}</p>
        <div className={styles.code}>
          <QrCode text={url} label={texts.codeOfPass({ name })} />
        </div>
        <p className={styles.link}>
          <code>{url}</code>
        </p>
        <p>{texts.shownOnce()}</p>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
          <Button onClick={() => void copyText(url)}>{texts.copyLink()}</Button>
          <Button variant="light" onClick={() => openContact('', texts.shareText({ name, event: event.name, url }))}>
            {texts.shareOnWhatsapp()}
          </Button>
        </SimpleGrid>
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            {texts.done()}
          </Button>
        </DialogButtons>
      </Stack>
    </Modal>
  )
}
