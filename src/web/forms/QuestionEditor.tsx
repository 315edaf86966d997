import { Button, Checkbox, NativeSelect, Stack, Switch, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { hasOptions, questionTypes } from '../../contract/forms.ts'
import type { TicketType } from '../../contract/ticket-type.ts'
import * as texts from '../../texts/generated/formBuilder.ts'
import { focusAfterRemoval } from '../ui/forms/focus-after-removal.ts'
import { type DraftQuestion, moved, withType } from './draft-questions.ts'
import { fieldId, type Problem } from './problems.ts'
import styles from './QuestionEditor.module.css'
import { ToolButton } from './ToolButton.tsx'
import { typeText } from './type-text.ts'
import { useFocusAfterRender } from './use-focus-after-render.ts'

const typeOptions = () => questionTypes.map((type, typeId) => ({ label: typeText(type), value: String(typeId) }))

interface Props {
  draft: DraftQuestion
  /** Those on sale, then those taken off sale. */
  ticketTypes: readonly TicketType[]
  problems: readonly Problem[]
  /** `field` is the text field in which it was typed. */
  onChange: (draft: DraftQuestion, field?: string) => void
}

/** The fields of a question: its words, type and options. */
export function QuestionEditor({ draft, ticketTypes, problems, onChange }: Props) {
  const { key } = draft
  const messageAt = (field: string) => problems.find((problem) => problem.field === field)?.msg
  return (
    <Stack gap="md">
      <div className={styles.words}>
        <TextInput
          label={texts.question()}
          id={fieldId({ key, field: 'text' })}
          value={draft.text}
          maxLength={300}
          error={messageAt('text')}
          onChange={({ target }) => onChange({ ...draft, text: target.value }, 'text')}
        />
        <NativeSelect
          label={texts.type()}
          id={fieldId({ key, field: 'typeId' })}
          data={typeOptions()}
          value={String(draft.typeId)}
          error={messageAt('typeId')}
          onChange={({ target }) => onChange(withType(draft, Number(target.value)))}
        />
      </div>
      {hasOptions(draft.typeId) && <Options draft={draft} messageAt={messageAt} onChange={onChange} />}
      <div className={styles.switches}>
        <Switch
          label={texts.anAnswerIsRequired()}
          checked={draft.required}
          onChange={({ target }) => onChange({ ...draft, required: target.checked })}
        />
        <Switch
          label={texts.showAtDoor()}
          description={texts.showAtDoorHint()}
          checked={draft.showAtDoor}
          onChange={({ target }) => onChange({ ...draft, showAtDoor: target.checked })}
        />
        <Switch
          label={texts.oncePerOrder()}
          description={texts.oncePerOrderHint()}
          checked={draft.askedOf === 'order'}
          onChange={({ target }) =>
            onChange(
              target.checked ? { ...draft, askedOf: 'order', ticketTypeIds: [] } : { ...draft, askedOf: 'attendee' },
            )
          }
        />
      </div>
      <AskedFor draft={draft} ticketTypes={ticketTypes} error={messageAt('ticketTypeIds')} onChange={onChange} />
    </Stack>
  )
}

interface AskedForProps extends Pick<Props, 'draft' | 'ticketTypes' | 'onChange'> {
  error: string | undefined
}

/** The tickets that a question is asked for; nothing to choose where there is only one. */
function AskedFor({ draft, ticketTypes, error, onChange }: AskedForProps) {
  const { key, ticketTypeIds } = draft
  const offered = ticketTypes.filter(({ id, removedAt }) => removedAt === null || ticketTypeIds.includes(id))
  // Whoever answers for all of an order may have any ticket.
  if (draft.askedOf === 'order' || (offered.length < 2 && ticketTypeIds.length === 0)) return null
  return (
    <div id={fieldId({ key, field: 'ticketTypeIds' })} tabIndex={-1}>
      <Checkbox.Group
        label={texts.askedFor()}
        description={texts.askedForHint()}
        value={ticketTypeIds.map(String)}
        // Sorted as they are stored, so that chosen and taken back counts as no change.
        onChange={(chosen) => onChange({ ...draft, ticketTypeIds: chosen.map(Number).sort((a, b) => a - b) })}
        error={error}
      >
        <Stack gap="xs" mt="xs">
          {offered.map(({ id, name, removedAt }) => (
            <Checkbox key={id} value={String(id)} label={removedAt === null ? name : texts.offSale({ ticket: name })} />
          ))}
        </Stack>
      </Checkbox.Group>
    </div>
  )
}

interface OptionsProps extends Pick<Props, 'draft' | 'onChange'> {
  messageAt: (field: string) => string | undefined
}

function Options({ draft, messageAt, onChange }: OptionsProps) {
  const { key, options } = draft
  const focus = useFocusAfterRender()
  const idOf = (index: number) => fieldId({ key, field: `options.${index}` })
  const setOptions = (next: string[], field?: string) => onChange({ ...draft, options: next }, field)
  const set = (index: number, text: string) =>
    setOptions(
      options.map((each, at) => (at === index ? text : each)),
      `options.${index}`,
    )
  const insert = (index: number) => {
    setOptions([...options.slice(0, index), '', ...options.slice(index)])
    focus.on(idOf(index))
  }
  /** Enter leads to the next option, so that a list can be typed in one go. */
  const press = (event: KeyboardEvent, index: number) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (options[index + 1] === '') focus.on(idOf(index + 1))
    else insert(index + 1)
  }
  return (
    <fieldset className={styles.options}>
      <legend>{texts.options()}</legend>
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option is known by its place alone; two may read the same for a moment.
        <div className={styles.option} key={index}>
          <TextInput
            id={idOf(index)}
            aria-label={texts.option({ position: index + 1 })}
            value={option}
            maxLength={200}
            error={messageAt(`options.${index}`)}
            onKeyDown={(event) => press(event, index)}
            onChange={({ target }) => set(index, target.value)}
            flex={1}
          />
          <ToolButton
            label={texts.moveOptionUp({ position: index + 1 })}
            Icon={IconArrowUp}
            isIdle={index === 0}
            onClick={() => setOptions(moved(options, index, index - 1))}
          />
          <ToolButton
            label={texts.moveOptionDown({ position: index + 1 })}
            Icon={IconArrowDown}
            isIdle={index === options.length - 1}
            onClick={() => setOptions(moved(options, index, index + 1))}
          />
          <ToolButton
            label={texts.removeOption({ position: index + 1 })}
            Icon={IconX}
            data-remove="line"
            onClick={({ currentTarget }) => {
              focusAfterRemoval(currentTarget.closest('fieldset'), index, 'line')
              setOptions(options.filter((_, at) => at !== index))
            }}
          />
        </div>
      ))}
      {messageAt('options') && <p className="error">{messageAt('options')}</p>}
      <Button
        id={fieldId({ key, field: 'options' })}
        data-add
        variant="subtle"
        className={styles.add}
        h={40}
        onClick={() => insert(options.length)}
      >
        {texts.addAnOption()}
      </Button>
    </fieldset>
  )
}
