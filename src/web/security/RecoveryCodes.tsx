import { Button, Group, Modal, Stack } from '@mantine/core'
import * as texts from '../../texts/generated/secondFactor.ts'
import { baseUrl } from '../site.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { copyText } from '../ui/copy-text.ts'
import { useFocusReturn } from '../ui/dialogs/use-focus-return.ts'
import { saveFile } from '../ui/save-file.ts'
import styles from './Security.module.css'

interface Props {
  codes: readonly string[]
  onClose: () => void
}

/** The recovery codes, this once. Only the button closes it. */
export function RecoveryCodes({ codes, onClose }: Props) {
  useFocusReturn()
  const host = new URL(baseUrl()).host
  const text = codes.join('\n')
  const file = () => new Blob([`${texts.fileText({ host })}\n\n${text}\n`], { type: 'text/plain' })
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.keepCodes()}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      // Also over the dialog in which they were made.
      zIndex={310}
    >
      <Stack gap="sm">
        <p>{texts.keepCodesText()}</p>
        <ul className={styles.codes}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <Group gap="xs" grow>
          <Button variant="light" onClick={() => void copyText(text)}>
            {texts.copy()}
          </Button>
          <Button variant="light" onClick={() => saveFile(file(), 'turnout-codes.txt')}>
            {texts.download()}
          </Button>
        </Group>
        <DialogButtons>
          <Button onClick={onClose}>{texts.haveKept()}</Button>
        </DialogButtons>
      </Stack>
    </Modal>
  )
}
