import { Checkbox, Group, NativeSelect, Textarea } from '@mantine/core'
import { Controller, type UseFormReturn } from 'react-hook-form'
import type { ClubFields } from '../../contract/clubs.ts'
import * as texts from '../../texts/generated/clubForm.ts'
import { languageNames, languages } from '../../texts/generated/languages.ts'
import { nameOfLanguage } from '../../texts/numbers.ts'
import { languageChoices } from '../ui/forms/choices.ts'

/** A club's main language, and those in which visitors can read its pages. */
export function LanguageFields({ form, isNew }: { form: UseFormReturn<ClubFields>; isNew: boolean }) {
  const main = form.watch('language')
  const { errors, defaultValues } = form.formState
  const isMoved = main !== defaultValues?.language
  const isRewritten = form.watch('description') !== defaultValues?.description
  const offersMore = form.watch('languages').some((each) => each !== main)
  return (
    <>
      <NativeSelect
        label={texts.mainLanguage()}
        description={isMoved ? texts.mainLanguageChanged() : texts.mainLanguageHint()}
        data={languageChoices}
        error={errors.language?.message}
        {...form.register('language')}
      />
      <Controller
        control={form.control}
        name="languages"
        render={({ field }) => (
          <Checkbox.Group
            label={texts.languages()}
            description={texts.languagesHint()}
            // The main language is always offered.
            value={[...new Set([main, ...field.value])]}
            onChange={(chosen) => field.onChange(languages.filter((each) => chosen.includes(each)))}
            error={errors.languages?.message}
          >
            <Group mt="xs">
              {languages.map((each) => (
                <Checkbox key={each} value={each} label={languageNames[each]} lang={each} disabled={each === main} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
      />
      {offersMore && <p className="muted small">{texts.translateEvents()}</p>}
      {/* A field for each language at its place in the list, shown while it is offered. */}
      {languages.map((each, at) =>
        // A new club first needs a text to translate.
        isNew || each === main || !form.watch('languages').includes(each) ? null : (
          <Textarea
            key={each}
            label={texts.aboutTheClubIn({ name: nameOfLanguage(each) })}
            lang={each}
            description={
              isRewritten && form.watch(`descriptions.${at}.text`) !== '' ? texts.originalChanged() : undefined
            }
            autosize
            minRows={2}
            error={errors.descriptions?.[at]?.text?.message}
            {...form.register(`descriptions.${at}.text`)}
          />
        ),
      )}
    </>
  )
}
