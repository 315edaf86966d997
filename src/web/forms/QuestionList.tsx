import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import type { FieldError } from '../../contract/errors.ts'
import { type DraftQuestion, moved } from './draft-questions.ts'
import styles from './FormBuilderPage.module.css'
import { QuestionEditor } from './QuestionEditor.tsx'
import type { QuestionProps } from './question-props.ts'

interface Props {
  drafts: DraftQuestion[]
  errors: FieldError[]
  onChange: (drafts: DraftQuestion[]) => void
}

/** The questions in order, which can be changed by dragging, by keyboard on the handle, or with the two arrows. */
export function QuestionList({ drafts, errors, onChange }: Props) {
  const sensors = useSensors(
    // Dragging starts only after a few pixels, so that a tap on the handle stays a tap.
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const drop = ({ active, over }: DragEndEvent) => {
    const from = drafts.findIndex(({ key }) => key === active.id)
    const to = drafts.findIndex(({ key }) => key === over?.id)
    if (from !== -1 && to !== -1 && from !== to) onChange(moved(drafts, from, to))
  }
  /** The screen reader announcements while a question is moved by keyboard. */
  const place = (key: UniqueIdentifier | undefined) => drafts.findIndex((draft) => draft.key === key) + 1
  const announcements: Announcements = {
    onDragStart: ({ active }) =>
      `Question ${place(active.id)} of ${drafts.length} is taken. Move it with the arrow keys.`,
    onDragOver: ({ over }) => (over ? `Now at place ${place(over.id)} of ${drafts.length}.` : undefined),
    onDragEnd: ({ over }) => `Put at place ${place(over?.id)} of ${drafts.length}.`,
    onDragCancel: ({ active }) => `Question ${place(active.id)} stays where it was.`,
  }
  if (drafts.length === 0) return <p className="muted">No question of your own yet.</p>
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop} accessibility={{ announcements }}>
      <SortableContext items={drafts.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
        <ol className={styles.questions}>
          {drafts.map((draft, index) => (
            <SortableQuestion
              key={draft.key}
              draft={draft}
              index={index}
              count={drafts.length}
              errors={errors.filter(({ path }) => path.startsWith(`formQuestions.${index}.`))}
              onChange={(next) => onChange(drafts.map((each) => (each.key === draft.key ? next : each)))}
              onMove={(to) => onChange(moved(drafts, index, to))}
              onRemove={() => onChange(drafts.filter(({ key }) => key !== draft.key))}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}

function SortableQuestion(props: QuestionProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition } = useSortable({
    id: props.draft.key,
  })
  return (
    <li ref={setNodeRef} style={{ transform: CSS.Transform.toString(transform) ?? '', transition: transition ?? '' }}>
      <QuestionEditor
        {...props}
        handle={
          <button
            type="button"
            className={styles.handle}
            ref={setActivatorNodeRef}
            {...attributes}
            {...listeners}
            aria-label={`Move question ${props.index + 1}`}
          >
            ⠿
          </button>
        }
      />
    </li>
  )
}
