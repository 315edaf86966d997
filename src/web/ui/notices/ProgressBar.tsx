import * as texts from '../../../texts/generated/common.ts'
import { useIsBusy } from '../../api/in-flight.ts'
import styles from './ProgressBar.module.css'

/** A bar along the top while any request is in flight. It fades in with CSS, so that quick answers do not flicker. */
export function ProgressBar() {
  return useIsBusy() ? (
    // As live content it may be outside the landmarks. It has no text, so nothing is announced.
    <div className={styles.progress} role="progressbar" aria-label={texts.loading()} aria-live="polite" />
  ) : null
}
