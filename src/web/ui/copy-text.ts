import * as texts from '../../texts/generated/common.ts'
import { notify } from './notices/notify.ts'

/** Copies a text and says so; where the browser does not allow it, the text is shown instead. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify('success', texts.copied())
  } catch {
    notify('info', text)
  }
}
