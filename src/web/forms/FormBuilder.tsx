import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Event } from '../../contract/event.ts'
import type { FormQuestion } from '../../contract/forms.ts'
import type { TicketType } from '../../contract/ticket-type.ts'
import * as texts from '../../texts/generated/formBuilder.ts'
import * as paths from '../paths.ts'
import { LeaveGuard } from '../ui/dialogs/LeaveGuard.tsx'
import { EditConflict } from '../ui/forms/EditConflict.tsx'
import { SavingFields } from '../ui/forms/SavingFields.tsx'
import { Segments } from '../ui/forms/Segments.tsx'
import { Parts } from '../ui/Parts.tsx'
import { FixedFields } from './FixedFields.tsx'
import styles from './FormBuilder.module.css'
import { FormPreview } from './FormPreview.tsx'
import { useUndoKeys } from './history/use-undo-keys.ts'
import { ProblemSummary } from './ProblemSummary.tsx'
import { QuestionList } from './QuestionList.tsx'
import { SaveBar } from './SaveBar.tsx'
import { ADD_BUTTON, useFormBuilder } from './use-form-builder.ts'

const views = [
  { value: 'edit', label: texts.edit },
  { value: 'preview', label: texts.preview },
] as const

interface Props {
  event: Event
  latest: FormQuestion[]
  /** Those on sale, then those taken off sale. */
  ticketTypes: readonly TicketType[]
  onReload: () => void
}

/** The form being built, with its preview: beside it on a wide screen, in its place on a phone. */
export function FormBuilder({ event, latest, ticketTypes, onReload }: Props) {
  const builder = useFormBuilder(event, latest, ticketTypes)
  const [view, setView] = useState<(typeof views)[number]['value']>('edit')
  useUndoKeys(builder)
  const { form, problems } = builder
  return (
    <div className="page">
      <LeaveGuard isDirty={builder.changes > 0} />
      <h1>{texts.registrationForm()}</h1>
      <p className="muted">
        <Parts
          of={texts.subtitle({ event: event.name, link: (text) => <Link to={paths.eventHome(event.id)}>{text}</Link> })}
        />
      </p>
      {builder.isConflict && <EditConflict onReload={onReload} />}
      <ProblemSummary
        problems={problems}
        questions={form.questions}
        failures={builder.failures}
        onGoTo={(problem) => {
          setView('edit')
          builder.goTo(problem)
        }}
      />
      <div className={styles.views}>
        <Segments
          label={texts.show()}
          options={views.map(({ value, label }) => ({ value, label: label() }))}
          value={view}
          onChange={setView}
        />
      </div>
      <SavingFields isSaving={builder.isSaving}>
        <div className={styles.builder} data-view={view}>
          <section className={styles.editor} aria-labelledby="questions">
            <h2 id="questions">{texts.questions()}</h2>
            <Stack gap="md">
              <FixedFields phoneField={form.phoneField} onChange={builder.askForPhone} />
              <QuestionList builder={builder} />
              <div>
                <Button id={ADD_BUTTON} data-add variant="light" h={44} onClick={builder.add}>
                  {texts.addAQuestion()}
                </Button>
              </div>
            </Stack>
          </section>
          <SaveBar builder={builder} />
          <div className={styles.preview}>
            <FormPreview event={event} form={form} ticketTypes={ticketTypes} openKey={builder.openKey} />
          </div>
        </div>
      </SavingFields>
    </div>
  )
}
