import { Alert, Button } from '@mantine/core'
import * as texts from '../../../texts/generated/controls.ts'
import { useNoticeFocus } from '../notices/use-notice-focus.ts'
import styles from './EditConflict.module.css'

/** Says that somebody else has saved in the meantime. The input stays on the page until the user decides. */
export function EditConflict({ onReload }: { onReload: () => void }) {
  const notice = useNoticeFocus<HTMLDivElement>()
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      className={styles.conflict}
      color="red"
      variant="light"
      title={texts.conflictHeading()}
      role="alert"
    >
      <p>{texts.conflictText()}</p>
      <Button variant="default" onClick={onReload}>
        {texts.loadTheLatest()}
      </Button>
    </Alert>
  )
}
