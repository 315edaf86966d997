import { Button, Stack, Textarea, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { hasLines, type OwnText, type TextKind } from '../../contract/translations.ts'
import * as texts from '../../texts/generated/translations.ts'
import type { Language, Message } from '../../texts/language.ts'
import { Parts } from '../ui/Parts.tsx'
import styles from './TranslationField.module.css'

interface Props {
  own: OwnText
  language: Language
  value: string
  /** The translation of what stood here before the text was changed. */
  earlier: string | undefined
  error: string | undefined
  onChange: (text: string) => void
}

const kinds: Readonly<Record<TextKind, Message>> = {
  name: texts.kindName,
  description: texts.kindDescription,
  question: texts.kindQuestion,
  option: texts.kindOption,
  'ticket type': texts.kindTicketType,
  'ticket type description': texts.kindTicketTypeDescription,
  voucher: texts.kindVoucher,
  'voucher description': texts.kindVoucherDescription,
  unit: texts.kindUnit,
}

/** A field for the translation of one text, with that of the text before it to fall back on. */
export function TranslationField({ own: { kind, text }, language, value, earlier, error, onChange }: Props) {
  const area = useRef<HTMLTextAreaElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const isLong = hasLines(kind)
  const take = (said: string) => {
    onChange(said)
    // The button goes away, and the keyboard's focus would go with it.
    const field = area.current ?? input.current
    field?.focus()
  }
  const props = {
    label: isLong ? kinds[kind]() : texts.fieldOf({ kind: kinds[kind](), text }),
    // Text from right to left stands as its readers know it.
    dir: 'auto',
    ...{ lang: language, value, error, w: '100%' },
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  return (
    <Stack gap="xs" align="start" className={kind === 'option' || kind === 'unit' ? styles.part : undefined}>
      {isLong ? (
        <Textarea
          {...props}
          ref={area}
          autosize
          minRows={2}
          maxRows={16}
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          description={text}
          descriptionProps={{ className: styles.original }}
        />
      ) : (
        <TextInput {...props} ref={input} />
      )}
      {earlier !== undefined && value === '' && (
        <div className={styles.earlier}>
          <p>
            <Parts of={texts.earlier({ text: earlier, said: (text) => <q lang={language}>{text}</q> })} />
          </p>
          <Button variant="default" size="compact-md" onClick={() => take(earlier)}>
            {texts.takeEarlier()}
          </Button>
        </div>
      )}
    </Stack>
  )
}
