import type { FormEvent } from 'react'
import * as texts from '../../texts/generated/common.ts'
import { languageNames, languages } from '../../texts/generated/languages.ts'
import { currentLanguage, isLanguage, type Language } from '../../texts/language.ts'
import * as paths from '../paths.ts'
import { useRenderedPage } from '../rendered-page.ts'

interface Props {
  /** The languages that the page is offered in. */
  offered?: readonly Language[] | undefined
}

/**
 * The choice of the language at the foot of visitors' pages. A form that the browser sends itself: it works without JavaScript too, and the
 * page is loaded again in any case. Whoever is signed in chooses in the profile.
 */
export function LanguageChoice({ offered = languages }: Props) {
  const { address, chooseLanguage } = useRenderedPage()
  // In development there are the texts of one language only.
  if (offered.length < 2 || import.meta.env.MODE === 'development') return null
  return (
    <form
      data-plain
      method="post"
      action={paths.language}
      className="languages when-signed-out"
      aria-label={texts.languageOfPage()}
      onSubmit={chooseLanguage ? (submit) => choose(submit, chooseLanguage) : stateAddress}
    >
      <input type="hidden" name="page" defaultValue={address} suppressHydrationWarning />
      {offered.map((language) =>
        language === currentLanguage() ? (
          <span key={language} lang={language} aria-current="true">
            {languageNames[language]}
          </span>
        ) : (
          <button key={language} type="submit" name="language" value={language} lang={language}>
            {languageNames[language]}
          </button>
        ),
      )}
    </form>
  )
}

function choose(submit: FormEvent<HTMLFormElement>, chooseLanguage: (language: Language) => Promise<void>): void {
  submit.preventDefault()
  const { nativeEvent } = submit
  const button = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null
  if (button instanceof HTMLButtonElement && isLanguage(button.value)) void chooseLanguage(button.value)
}

/** The address may have changed since the page was rendered. What stands after `#`, such as the token for a new password, goes along without being sent. */
function stateAddress({ currentTarget }: FormEvent<HTMLFormElement>): void {
  currentTarget.action = paths.language + window.location.hash
  const field = currentTarget.elements.namedItem('page')
  if (field instanceof HTMLInputElement) field.value = window.location.pathname + window.location.search
}
