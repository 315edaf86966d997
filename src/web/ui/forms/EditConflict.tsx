import { Alert, Button } from '@mantine/core'
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
      title="Somebody else has changed this in the meantime"
      role="alert"
    >
      <p>
        Your changes are not saved, and theirs are not overwritten. Loading the latest replaces what you typed, so copy
        first what you want to keep.
      </p>
      <Button variant="default" onClick={onReload}>
        Load the latest
      </Button>
    </Alert>
  )
}
