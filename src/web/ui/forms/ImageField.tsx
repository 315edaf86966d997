import { Button, FileButton, Group, Input } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { coverUrl } from '../../../contract/values/covers.ts'
import { type ImageKind, imageTypes, imageUrl, LARGEST_IMAGE } from '../../../contract/values/images.ts'
import * as texts from '../../../texts/generated/controls.ts'
import styles from './ImageField.module.css'

/** The change of a picture: unchanged, replaced or removed. */
export interface ImageChange {
  file: File | null
  remove: boolean
}

export const unchangedImage: ImageChange = { file: null, remove: false }

interface Props {
  /** The use of the picture; `other` is a person's photo. */
  what: 'banner' | 'cover' | 'logo' | 'other'
  kind: ImageKind
  /** The current file. */
  current: string
  change: ImageChange
  onChange: (change: ImageChange) => void
  error?: string | undefined
  /** Draws the picture as it will look; gets the address of the one chosen and the current file, each of which may be missing. */
  draw?: (chosen: string | null, file: string) => ReactNode
  /** The owner's name: from it comes the cover that is drawn for an event without a picture. */
  name?: string
  /** The colour of a drawn cover; empty for the product's. */
  colour?: string
}

/** A picture with its preview: choose, replace, remove. Nothing is sent before the form is saved. */
export function ImageField({ what, kind, current, change, onChange, error, draw, name = '', colour = '' }: Props) {
  const [problem, setProblem] = useState<string | null>(null)
  const preview = usePreview(change.file)
  const file = change.remove ? '' : current
  const shown = preview ?? (file === '' && kind === 'event-banner' ? coverUrl(name, colour) : imageUrl(kind, file, 800))
  const hasOne = change.file !== null || (current !== '' && !change.remove)

  function choose(file: File | null): void {
    if (!file) return
    const isFine = imageTypes.split(',').includes(file.type) && file.size <= LARGEST_IMAGE
    setProblem(isFine ? null : texts.wrongImage())
    if (isFine) onChange({ file, remove: false })
  }
  return (
    <Input.Wrapper
      label={texts.imageLabel({ what })}
      description={texts.imageHint()}
      error={problem ?? error}
      labelElement="div"
    >
      {draw ? (
        <div className={styles.drawn}>{draw(preview, file)}</div>
      ) : (
        <img
          className={`${styles.preview} ${styles[kind]}`}
          src={shown}
          alt={hasOne ? texts.imageShown({ what }) : ''}
        />
      )}
      <Group gap="xs">
        <FileButton accept={imageTypes} onChange={choose}>
          {(props) => (
            <Button variant="light" {...props}>
              {hasOne ? texts.replaceImage({ what }) : texts.chooseImage({ what })}
            </Button>
          )}
        </FileButton>
        {hasOne && (
          <Button variant="subtle" color="red" onClick={() => onChange({ file: null, remove: current !== '' })}>
            {texts.removeImage({ what })}
          </Button>
        )}
      </Group>
    </Input.Wrapper>
  )
}

function usePreview(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return setUrl(null)
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
