import * as texts from '../../../texts/generated/common.ts'
import { useIsBusy } from '../../api/in-flight.ts'
import styles from './ProgressBar.module.css'

/** A bar along the top while any request is in flight. It fades in with CSS, so that quick answers do not flicker. */
export function ProgressBar() {
  return useIsBusy() ? <div className={styles.progress} role="progressbar" aria-label={texts.loading()} /> : null
}
