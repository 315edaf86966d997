import { useQuery } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import type { Refusal } from '../../../contract/errors.ts'
import { textApi } from '../../../contract/texts.ts'
import * as texts from '../../../texts/generated/controls.ts'
import { call } from '../../api/call.ts'
import { Prose } from '../Prose.tsx'
import styles from './MarkdownField.module.css'

/** The text as visitors will see it. The server formats it, because that is what formats the saved text too. */
export function MarkdownPreview({ text }: { text: string }) {
  const isEmpty = text.trim() === ''
  const { data, error, refetch, isFetching } = useQuery<{ html: string }, Refusal>({
    queryKey: [textApi.preview.path, text],
    // A failure is shown here and nowhere else.
    queryFn: () => call(textApi.preview, { text }, { quiet: true, isTold: true }),
    enabled: !isEmpty,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const again = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    // The button is gone while the preview loads, and the focus would be lost with it.
    currentTarget.closest<HTMLElement>('[role=tabpanel]')?.focus()
    void refetch()
  }
  if (isEmpty) return <p className="muted">{texts.emptyPreview()}</p>
  if (data) return <Prose html={data.html} />
  if (!error || isFetching) return <p className="muted">{texts.loadingThePreview()}</p>
  return (
    <div role="alert">
      <p>{error.fields[0]?.msg() ?? texts.noPreview()}</p>
      <button type="button" className={`button small light ${styles.again}`} onClick={again}>
        {texts.tryAgain()}
      </button>
    </div>
  )
}
