import { Button, Modal, Stack } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import * as texts from '../../texts/generated/webhooks.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { copyText } from '../ui/copy-text.ts'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import styles from './WebhooksPage.module.css'

/** The secret of a webhook, this once. */
export function SecretDialog({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) {
  useFocusReturn()
  return (
    <Modal opened onClose={onClose} title={texts.secretOf({ name })} closeOnClickOutside={false}>
      <Stack gap="sm">
        <p>{texts.secretText()}</p>
        <p className={styles.secret}>
          <code>{secret}</code>
        </p>
        <Button variant="light" leftSection={<IconCopy size={18} aria-hidden />} onClick={() => void copyText(secret)}>
          {texts.copy()}
        </Button>
        <DialogButtons>
          <Button onClick={onClose}>{texts.done()}</Button>
        </DialogButtons>
      </Stack>
    </Modal>
  )
}
