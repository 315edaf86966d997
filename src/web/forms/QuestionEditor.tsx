import { ActionIcon, Button, Group, NativeSelect, Stack, Switch, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { hasOptions, questionTypes } from '../../contract/forms.ts'
import { focusAfterRemoval } from '../ui/forms/focus-after-removal.ts'
import { type DraftQuestion, fieldId, moved, withType } from './draft-questions.ts'
import styles from './FormBuilderPage.module.css'
import type { QuestionProps } from './question-props.ts'

const types = questionTypes.map((label, typeId) => ({ label, value: String(typeId) }))

/** One question being built: its words, type, options, and its place in the form. */
export function QuestionEditor({
  draft,
  index,
  count,
  errors,
  onChange,
  onMove,
  onRemove,
  handle,
}: QuestionProps & { handle: ReactNode }) {
  const pathOf = (field: string) => `formQuestions.${index}.${field}`
  const messageAt = (field: string) => errors.find(({ path }) => path === pathOf(field))?.msg
  const idOf = (field: string) => fieldId(pathOf(field))
  const number = index + 1
  return (
    <section className={`card ${styles.question}`} aria-label={`Question ${number}`}>
      <div className="row spread tight">
        <div className="row">
          {handle}
          <strong>Question {number}</strong>
        </div>
        <Group gap={4}>
          <ActionIcon
            variant="subtle"
            size="lg"
            disabled={index === 0}
            onClick={() => onMove(index - 1)}
            aria-label={`Move question ${number} up`}
          >
            ↑
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            size="lg"
            disabled={number === count}
            onClick={() => onMove(index + 1)}
            aria-label={`Move question ${number} down`}
          >
            ↓
          </ActionIcon>
          <Button
            variant="subtle"
            color="red"
            size="compact-md"
            onClick={({ currentTarget }) => {
              focusAfterRemoval(currentTarget.closest('[aria-labelledby=questions]'), index, 'question')
              onRemove()
            }}
            aria-label={`Remove question ${number}`}
            data-remove="question"
          >
            Remove
          </Button>
        </Group>
      </div>
      <Stack gap="sm">
        <TextInput
          label="Question"
          id={idOf('text')}
          value={draft.text}
          maxLength={300}
          error={messageAt('text')}
          onChange={({ target }) => onChange({ ...draft, text: target.value })}
        />
        <NativeSelect
          label="Type"
          id={idOf('typeId')}
          data={types}
          value={String(draft.typeId)}
          error={messageAt('typeId')}
          onChange={({ target }) => onChange(withType(draft, Number(target.value)))}
        />
        {hasOptions(draft.typeId) && <Options draft={draft} messageAt={messageAt} idOf={idOf} onChange={onChange} />}
        <Switch
          label="An answer is required"
          checked={draft.required}
          onChange={({ target }) => onChange({ ...draft, required: target.checked })}
        />
        <Switch
          label="Show the answer at the door"
          description="On the scanner, when the ticket comes in"
          checked={draft.showAtDoor === true}
          onChange={({ target }) => onChange({ ...draft, showAtDoor: target.checked })}
        />
      </Stack>
    </section>
  )
}

interface OptionsProps {
  draft: DraftQuestion
  messageAt: (field: string) => string | undefined
  idOf: (field: string) => string
  onChange: (draft: DraftQuestion) => void
}

function Options({ draft, messageAt, idOf, onChange }: OptionsProps) {
  const { options } = draft
  const setOptions = (next: string[]) => onChange({ ...draft, options: next })
  return (
    <fieldset className={styles.options}>
      <legend>Options</legend>
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option is known by its place alone; two may read the same for a moment.
        <div className="row tight" key={index}>
          <TextInput
            id={idOf(`options.${index}`)}
            aria-label={`Option ${index + 1}`}
            value={option}
            maxLength={200}
            error={messageAt(`options.${index}`)}
            onChange={({ target }) => setOptions(options.map((each, at) => (at === index ? target.value : each)))}
            flex={1}
          />
          <ActionIcon
            variant="subtle"
            size="lg"
            disabled={index === 0}
            onClick={() => setOptions(moved(options, index, index - 1))}
            aria-label={`Move option ${index + 1} up`}
          >
            ↑
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            size="lg"
            disabled={index === options.length - 1}
            onClick={() => setOptions(moved(options, index, index + 1))}
            aria-label={`Move option ${index + 1} down`}
          >
            ↓
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            onClick={({ currentTarget }) => {
              focusAfterRemoval(currentTarget.closest('fieldset'), index, 'line')
              setOptions(options.filter((_, at) => at !== index))
            }}
            aria-label={`Remove option ${index + 1}`}
            data-remove="line"
          >
            ×
          </ActionIcon>
        </div>
      ))}
      {messageAt('options') && <p className="error">{messageAt('options')}</p>}
      <Button id={idOf('options')} variant="subtle" size="compact-md" onClick={() => setOptions([...options, ''])}>
        Add an option
      </Button>
    </fieldset>
  )
}
