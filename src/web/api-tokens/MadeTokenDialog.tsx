import { Button, Modal, Stack } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import * as texts from '../../texts/generated/apiTokens.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { copyText } from '../ui/copy-text.ts'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import styles from './TokensPage.module.css'

/** A new API token, this once. */
export function MadeTokenDialog({ name, token, onClose }: { name: string; token: string; onClose: () => void }) {
  useFocusReturn()
  return (
    <Modal opened onClose={onClose} title={texts.tokenOf({ name })} closeOnClickOutside={false}>
      <Stack gap="sm">
        <p>{texts.shownOnce()}</p>
        <p className={styles.secret}>
          <code>{token}</code>
        </p>
        <Button variant="light" leftSection={<IconCopy size={18} aria-hidden />} onClick={() => void copyText(token)}>
          {texts.copy()}
        </Button>
        <DialogButtons>
          <Button onClick={onClose}>{texts.done()}</Button>
        </DialogButtons>
      </Stack>
    </Modal>
  )
}
