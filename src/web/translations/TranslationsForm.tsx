import { Button, Stack, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useRef, useState } from 'react'
import { Refusal } from '../../contract/errors.ts'
import { type TextKind, type Translations, translationApi } from '../../contract/translations.ts'
import { languageNames } from '../../texts/generated/languages.ts'
import * as texts from '../../texts/generated/translations.ts'
import type { Language, Message } from '../../texts/language.ts'
import { query, useCall } from '../api/query.ts'
import { queryClient } from '../api/query-client.ts'
import { SAVE_STATE, StickyBar } from '../ui/buttons/StickyBar.tsx'
import { LeaveGuard } from '../ui/dialogs/LeaveGuard.tsx'
import { SavingFields } from '../ui/forms/SavingFields.tsx'
import { Segments } from '../ui/forms/Segments.tsx'
import styles from './TranslationsForm.module.css'

interface Props {
  eventId: number
  /** The languages to translate into. */
  languages: readonly Language[]
  /** The event's texts in the main language. */
  shown: readonly { kind: TextKind; text: string }[]
  stored: Translations
}

/** What was typed, by language and by the text in the main one. */
type Typed = Partial<Record<Language, Readonly<Record<string, string>>>>

const kinds: Readonly<Record<TextKind, Message>> = {
  name: texts.kindName,
  description: texts.kindDescription,
  question: texts.kindQuestion,
  option: texts.kindOption,
  voucher: texts.kindVoucher,
  'voucher description': texts.kindVoucherDescription,
  unit: texts.kindUnit,
}

/** A field for each text of an event, for one language at a time. What was typed for the others is kept until it is saved. */
export function TranslationsForm({ eventId, languages, shown, stored: translations }: Props) {
  const stored = byText(translations)
  const [language, setLanguage] = useState<Language | undefined>(languages[0])
  const [typed, setTyped] = useState<Typed>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const save = useCall(translationApi.saveTranslations)
  const description = useRef<HTMLTextAreaElement>(null)
  if (language === undefined) return null
  const changes = changesIn(languages, typed, stored)
  const isChanged = changes.length > 0
  const saidOf = (of: string) => typed[language]?.[of] ?? stored[language]?.[of] ?? ''
  const type = (of: string, text: string) =>
    setTyped((before) => ({ ...before, [language]: { ...before[language], [of]: text } }))
  const keep = (of: string, text: string) => {
    type(of, text)
    // The button goes away, and the keyboard's focus would go with it.
    description.current?.focus()
  }
  const done = shown.filter(({ text }) => saidOf(text).trim() !== '').length

  async function submit(submitted: FormEvent): Promise<void> {
    submitted.preventDefault()
    setErrors({})
    for (const change of changes) {
      try {
        const saved = await save.mutateAsync({ payload: { eventId, ...change } })
        queryClient.setQueryData(query(translationApi.getTranslations, { eventId }).queryKey, saved)
        setTyped(({ [change.language]: _, ...others }) => others)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        setLanguage(change.language)
        setErrors(errorsByText(error, change.texts))
        return
      }
    }
  }
  return (
    <form onSubmit={(submitted) => void submit(submitted)} noValidate>
      <LeaveGuard isDirty={isChanged} />
      <SavingFields isSaving={save.isPending}>
        <Segments
          label={texts.into()}
          options={languages.map((value) => ({ value, label: languageNames[value] }))}
          value={language}
          onChange={(next) => {
            setLanguage(next)
            setErrors({})
          }}
        />
        <p className="muted" role="status">
          {texts.doneOf({ done, count: shown.length })}
        </p>
        <Stack className="card">
          {shown.map(({ kind, text }) => {
            const isNew = typed[language]?.[text] === undefined && saidOf(text) === ''
            const earlier = kind === 'description' && isNew ? stored[language]?.[''] : undefined
            const props = {
              label: kind === 'description' ? texts.kindDescription() : texts.fieldOf({ kind: kinds[kind](), text }),
              lang: language,
              error: errors[text],
              onChange: ({ target }: { target: { value: string } }) => type(text, target.value),
            }
            return kind === 'description' || kind === 'voucher description' ? (
              <Stack key={text} gap="xs" align="start">
                <Textarea
                  {...props}
                  ref={kind === 'description' ? description : undefined}
                  w="100%"
                  autosize
                  minRows={2}
                  maxRows={16}
                  inputWrapperOrder={['label', 'description', 'input', 'error']}
                  description={text}
                  descriptionProps={{ className: styles.original }}
                  value={earlier ?? saidOf(text)}
                />
                {earlier !== undefined && (
                  <>
                    <p>{texts.changedSince()}</p>
                    <Button variant="default" onClick={() => keep(text, earlier)}>
                      {texts.keepAsItIs()}
                    </Button>
                  </>
                )}
              </Stack>
            ) : (
              <TextInput key={text} {...props} value={saidOf(text)} />
            )
          })}
        </Stack>
        <StickyBar
          state={isChanged ? texts.unsaved() : save.isSuccess ? texts.saved() : texts.noChanges()}
          isFloating={isChanged}
        >
          <Button
            type="submit"
            variant={isChanged ? 'filled' : 'default'}
            aria-describedby={SAVE_STATE}
            loading={save.isPending}
          >
            {texts.save()}
          </Button>
        </StickyBar>
      </SavingFields>
    </form>
  )
}

/** The stored texts by language and by the text in the main one. */
function byText(translations: Translations): Typed {
  return Object.fromEntries(
    translations.map(({ language, texts: said }) => [
      language,
      Object.fromEntries(said.map(({ of, text }) => [of, text])),
    ]),
  )
}

/** What differs from what is stored, for each language. */
function changesIn(languages: readonly Language[], typed: Typed, stored: Typed) {
  return languages.flatMap((language) => {
    const changed = Object.entries(typed[language] ?? {})
      .map(([of, text]) => ({ of, text: text.trim() }))
      .filter(({ of, text }) => text !== (stored[language]?.[of] ?? ''))
    return changed.length > 0 ? [{ language, texts: changed }] : []
  })
}

/** The errors of a refusal by the text that they belong to. */
function errorsByText({ fields }: Refusal, said: readonly { of: string }[]): Record<string, string> {
  const found = fields.flatMap(({ path, msg }) => {
    const of = said[Number(/texts\.(\d+)/.exec(path)?.[1])]?.of
    return of === undefined ? [] : [[of, msg()]]
  })
  return Object.fromEntries(found)
}
