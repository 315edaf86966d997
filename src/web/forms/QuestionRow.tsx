import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { IconArrowDown, IconArrowUp, IconChevronDown, IconGripVertical, IconScan, IconTrash } from '@tabler/icons-react'
import { typeOf } from '../../contract/forms.ts'
import type { TicketType } from '../../contract/ticket-type.ts'
import * as texts from '../../texts/generated/formBuilder.ts'
import { focusAfterRemoval } from '../ui/forms/focus-after-removal.ts'
import type { DraftQuestion } from './draft-questions.ts'
import { QuestionEditor } from './QuestionEditor.tsx'
import styles from './QuestionRow.module.css'
import { ToolButton } from './ToolButton.tsx'
import { typeText } from './type-text.ts'
import type { FormBuilderState } from './use-form-builder.ts'

interface Props {
  builder: FormBuilderState
  draft: DraftQuestion
  index: number
}

/** A question in the list: one line that says what it asks, and below it, when it is open, its fields. */
export function QuestionRow({ builder, draft, index }: Props) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: draft.key,
  })
  const number = index + 1
  const isOpen = builder.openKey === draft.key
  const problems = builder.problems.filter(({ key }) => key === draft.key)
  const isLast = number === builder.form.questions.length
  return (
    <li
      ref={setNodeRef}
      // Only moved: scaled to the height of another question, an open one would be distorted.
      style={{ transform: CSS.Translate.toString(transform) ?? '', transition: transition ?? '' }}
    >
      <section
        className={styles.question}
        aria-label={texts.questionAt({ position: number })}
        data-open={isOpen}
        data-dragged={isDragging}
        data-wrong={problems.length > 0}
      >
        <div className={styles.line}>
          <button
            type="button"
            className={styles.handle}
            ref={setActivatorNodeRef}
            {...attributes}
            {...listeners}
            aria-label={texts.moveQuestion({ position: number })}
          >
            <IconGripVertical size={20} aria-hidden />
          </button>
          <h3 className={styles.heading}>
            <button
              type="button"
              className={styles.toggle}
              aria-expanded={isOpen}
              aria-controls={isOpen ? `question-${draft.key}` : undefined}
              onClick={() => builder.toggle(draft.key)}
            >
              <span className={styles.number}>{number}</span>
              <span className={styles.text} data-empty={draft.text.trim() === ''}>
                {draft.text.trim() || texts.noText()}
              </span>
              <Marks draft={draft} ticketTypes={builder.ticketTypes} problems={problems.length} />
              <IconChevronDown className={styles.chevron} size={20} aria-hidden />
            </button>
          </h3>
          <div className={styles.moves}>
            <ToolButton
              label={texts.moveQuestionUp({ position: number })}
              Icon={IconArrowUp}
              isIdle={index === 0}
              onClick={() => builder.move(index, index - 1)}
            />
            <ToolButton
              label={texts.moveQuestionDown({ position: number })}
              Icon={IconArrowDown}
              isIdle={isLast}
              onClick={() => builder.move(index, index + 1)}
            />
          </div>
          <ToolButton
            label={texts.removeQuestion({ position: number })}
            Icon={IconTrash}
            data-remove="question"
            onClick={({ currentTarget }) => {
              focusAfterRemoval(currentTarget.closest('[aria-labelledby=questions]'), index, 'question')
              builder.remove(draft.key)
            }}
          />
        </div>
        {isOpen && (
          <div className={styles.fields} id={`question-${draft.key}`}>
            <QuestionEditor
              draft={draft}
              ticketTypes={builder.ticketTypes}
              problems={problems}
              onChange={builder.change}
            />
          </div>
        )}
      </section>
    </li>
  )
}

interface MarksProps {
  draft: DraftQuestion
  ticketTypes: readonly TicketType[]
  problems: number
}

/** What is to be known about a question without opening it. */
function Marks({ draft, ticketTypes, problems }: MarksProps) {
  const tickets = ticketTypes.filter(({ id }) => draft.ticketTypeIds.includes(id)).map(({ name }) => name)
  return (
    <span className={styles.marks}>
      {problems > 0 && <span className={styles.problems}>{texts.problems({ count: problems })}</span>}
      <span>{typeText(typeOf(draft))}</span>
      {draft.showAtDoor && (
        <span className={styles.door} title={texts.shownAtDoor()}>
          <IconScan size={18} stroke={1.75} aria-hidden />
          {texts.atTheDoor()}
        </span>
      )}
      <span>{draft.required ? texts.required() : texts.optional()}</span>
      {draft.askedOf === 'order' && <span>{texts.oncePerOrderMark()}</span>}
      {tickets.length > 0 && <span>{texts.onlyFor({ tickets: tickets.join(', ') })}</span>}
    </span>
  )
}
