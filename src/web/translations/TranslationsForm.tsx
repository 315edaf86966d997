import { Button, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Refusal } from '../../contract/errors.ts'
import { type OwnText, type Translations, translationApi } from '../../contract/translations.ts'
import { languageNames } from '../../texts/generated/languages.ts'
import * as texts from '../../texts/generated/translations.ts'
import type { Language } from '../../texts/language.ts'
import { query, useCall } from '../api/query.ts'
import { queryClient } from '../api/query-client.ts'
import { SAVE_STATE, StickyBar } from '../ui/buttons/StickyBar.tsx'
import { LeaveGuard } from '../ui/dialogs/LeaveGuard.tsx'
import { SavingFields } from '../ui/forms/SavingFields.tsx'
import { Segments } from '../ui/forms/Segments.tsx'
import { useErrorFocus } from '../ui/forms/use-error-focus.ts'
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

/** What was typed, by language and by the place of the text, which stays the same when the original is changed meanwhile. */
type Typed = Partial<Record<Language, Readonly<Record<string, string>>>>

/** A field for each text of an event, for one language at a time. What was typed for the others is kept until it is saved. */
export function TranslationsForm({ eventId, languages, own, stored, onConflict }: Props) {
  const [language, setLanguage] = useState<Language | undefined>(languages[0])
  const [typed, setTyped] = useState<Typed>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const save = useCall(translationApi.saveTranslations)
  const form = useErrorFocus(errors)
  if (language === undefined) return null
  const storedIn = (of: Language, text: string) => find(stored, of)?.texts.find((each) => each.of === text)?.text ?? ''
  const saidIn = (of: Language, { place, text }: OwnText) => typed[of]?.[place] ?? storedIn(of, text)
  const doneIn = (of: Language) => own.filter((each) => saidIn(of, each).trim() !== '').length
  const changes = languages.flatMap((of) => {
    const changed = own
      .map((each) => ({ ...each, said: saidIn(of, each).trim(), was: storedIn(of, each.text) }))
      .filter(({ said, was }) => said !== was)
    return changed.length > 0 ? [{ language: of, changed }] : []
  })
  const isChanged = changes.length > 0

  async function submit(submitted: FormEvent): Promise<void> {
    submitted.preventDefault()
    setErrors({})
    // Spaces alone are no translation.
    if (!isChanged) return setTyped({})
    for (const { language: of, changed } of changes) {
      try {
        const said = changed.map(({ text, said, was }) => ({ of: text, text: said, was }))
        const saved = await save.mutateAsync({ payload: { eventId, language: of, texts: said } })
        queryClient.setQueryData(query(translationApi.getTranslations, { eventId }).queryKey, saved)
        setTyped(({ [of]: _, ...others }) => others)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        setLanguage(of)
        setErrors(errorsByPlace(error, changed))
        if (error.code === 'EDIT_CONFLICT') await onConflict()
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
            label: texts.languageDone({ name: languageNames[value], done: doneIn(value), total: own.length }),
          }))}
          value={language}
          onChange={(next) => {
            setLanguage(next)
            setErrors({})
          }}
        />
        <p className="muted" role="status">
          {texts.doneOf({ done: doneIn(language), count: own.length })}
        </p>
        <Stack className="card">
          {own.map((each) => (
            <TranslationField
              key={each.place}
              own={each}
              language={language}
              value={saidIn(language, each)}
              earlier={find(stored, language)?.earlier.find(({ of }) => of === each.text)?.text}
              error={errors[each.place]}
              onChange={(text) =>
                setTyped((before) => ({ ...before, [language]: { ...before[language], [each.place]: text } }))
              }
            />
          ))}
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

const find = (translations: Translations, language: Language) => translations.find((each) => each.language === language)

/** The errors of a refusal by the place of the text that they belong to. */
function errorsByPlace({ fields }: Refusal, said: readonly OwnText[]): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ path, msg }) => {
      const place = said[Number(/texts\.(\d+)/.exec(path)?.[1])]?.place
      return place === undefined ? [] : [[place, msg()]]
    }),
  )
}
