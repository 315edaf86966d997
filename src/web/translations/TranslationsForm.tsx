import { Stack, VisuallyHidden } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Refusal } from '../../contract/errors.ts'
import { sayIn } from '../../contract/own-words.ts'
import { type OwnText, type Translations, translationApi } from '../../contract/translations.ts'
import { languageNames } from '../../texts/generated/languages.ts'
import * as texts from '../../texts/generated/translations.ts'
import type { Language } from '../../texts/language.ts'
import { query, useCall } from '../api/query.ts'
import { queryClient } from '../api/query-client.ts'
import { SaveButton } from '../ui/buttons/SaveButton.tsx'
import { StickyBar } from '../ui/buttons/StickyBar.tsx'
import { LeaveGuard } from '../ui/dialogs/LeaveGuard.tsx'
import { SavingFields } from '../ui/forms/SavingFields.tsx'
import { Segments } from '../ui/forms/Segments.tsx'
import { useErrorFocus } from '../ui/forms/use-error-focus.ts'
import styles from './TranslationField.module.css'
import { TranslationField } from './TranslationField.tsx'

interface Props {
  eventId: number
  /** The languages to translate into. */
  languages: readonly Language[]
  /** The event's texts in the main language. */
  own: readonly OwnText[]
  stored: Translations
  /** Reads everything again, after somebody else has changed it. */
  onConflict: () => Promise<void>
}

/** A translation that was typed, with the original and the translation that stood there when the typing began. */
interface Typed {
  said: string
  /** Left out after a conflict: whoever has seen it saves over what is there now. */
  from?: { of: string; was: string }
}

/** By language and by the key of the field, see `keyOf`. */
type AllTyped = Partial<Record<Language, Readonly<Record<string, Typed>>>>

/**
 * A name, description, question or voucher is known by its place, so that what was typed stays beside it when its text is changed meanwhile.
 * Options and contents move from place to place, so they are known by their text.
 */
const keyOf = ({ kind, place, text }: OwnText) => (kind === 'option' || kind === 'unit' ? `text-${text}` : place)

/** A field for each text of an event, for one language at a time. What was typed for the others is kept until it is saved. */
export function TranslationsForm({ eventId, languages, own, stored, onConflict }: Props) {
  const [chosen, setLanguage] = useState<Language | undefined>(languages[0])
  const language = chosen && languages.includes(chosen) ? chosen : languages[0]
  const [typed, setTyped] = useState<AllTyped>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const save = useCall(translationApi.saveTranslations)
  const form = useErrorFocus(errors)
  if (language === undefined) return null
  const storedTexts = new Map(stored.map(({ language: of, texts: said }) => [of, sayIn(said, '')]))
  const storedIn = (of: Language, text: string) => storedTexts.get(of)?.(text) ?? ''
  const saidIn = (of: Language, each: OwnText) => typed[of]?.[keyOf(each)]?.said ?? storedIn(of, each.text)
  const doneIn = (of: Language) => own.filter((each) => saidIn(of, each).trim() !== '').length
  const changes = languages.flatMap((of) => {
    const changed = own
      .map((each) => {
        const from = typed[of]?.[keyOf(each)]?.from ?? { of: each.text, was: storedIn(of, each.text) }
        return { key: keyOf(each), said: saidIn(of, each).trim(), ...from }
      })
      .filter(({ said, was }) => said !== was)
    return changed.length > 0 ? [{ language: of, changed }] : []
  })
  const isChanged = changes.length > 0

  function type(each: OwnText, said: string): void {
    if (language === undefined) return
    const key = keyOf(each)
    setTyped((before) => {
      const from = before[language]?.[key] ?? { from: { of: each.text, was: storedIn(language, each.text) } }
      return { ...before, [language]: { ...before[language], [key]: { ...from, said } } }
    })
  }

  async function submit(submitted: FormEvent): Promise<void> {
    submitted.preventDefault()
    setErrors({})
    // Spaces alone are no translation.
    if (!isChanged) return setTyped({})
    for (const { language: of, changed } of changes) {
      try {
        const said = changed.map(({ of: text, said, was }) => ({ of: text, text: said, was }))
        const saved = await save.mutateAsync({ payload: { eventId, language: of, texts: said } })
        queryClient.setQueryData(query(translationApi.getTranslations, { eventId }).queryKey, saved)
        setTyped(({ [of]: _, ...others }) => others)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        setLanguage(of)
        setErrors(errorsByKey(error, changed))
        if (error.code === 'EDIT_CONFLICT') {
          // Before the reading ends: the button can be pressed as soon as the new original is shown.
          setTyped((before) => ({ ...before, [of]: withoutOrigin(before[of]) }))
          await onConflict()
        }
        return
      }
    }
  }
  return (
    <form ref={form} onSubmit={(submitted) => void submit(submitted)} noValidate>
      <LeaveGuard isDirty={isChanged} />
      <SavingFields isSaving={save.isPending}>
        <Segments
          label={texts.into()}
          options={languages.map((value) => ({
            value,
            // One alone has its count in the sentence below.
            label:
              languages.length === 1
                ? languageNames[value]
                : texts.languageDone({ name: languageNames[value], done: doneIn(value), total: own.length }),
          }))}
          value={language}
          onChange={(next) => {
            setLanguage(next)
            setErrors({})
          }}
        />
        {languages.length === 1 ? (
          <p className={`muted ${styles.done}`} role="status">
            {texts.doneOf({ done: doneIn(language), count: own.length })}
          </p>
        ) : (
          // Seen in the choice above.
          <VisuallyHidden component="p" role="status">
            {texts.doneOf({ done: doneIn(language), count: own.length })}
          </VisuallyHidden>
        )}
        <Stack className={`card ${styles.texts}`}>
          {own.map((each) => (
            <TranslationField
              key={each.place}
              own={each}
              language={language}
              value={saidIn(language, each)}
              earlier={find(stored, language)?.earlier.find(({ of }) => of === each.text)?.text}
              error={errors[keyOf(each)]}
              onChange={(said) => type(each, said)}
            />
          ))}
        </Stack>
        <StickyBar
          state={isChanged ? texts.unsaved() : save.isSuccess ? texts.saved() : texts.noChanges()}
          isFloating={isChanged}
        >
          <SaveButton isIdle={!isChanged} isSaving={save.isPending}>
            {texts.save()}
          </SaveButton>
        </StickyBar>
      </SavingFields>
    </form>
  )
}

const find = (translations: Translations, language: Language) => translations.find((each) => each.language === language)

/** The errors of a refusal by the key of the field that they belong to. */
function errorsByKey({ fields }: Refusal, said: readonly { key: string }[]): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ path, msg }) => {
      const key = said[Number(/texts\.(\d+)/.exec(path)?.[1])]?.key
      return key === undefined ? [] : [[key, msg()]]
    }),
  )
}

/** What was typed, to be saved over what is there now. */
function withoutOrigin(typed: Readonly<Record<string, Typed>> = {}): Record<string, Typed> {
  return Object.fromEntries(Object.entries(typed).map(([key, { said }]) => [key, { said }]))
}
