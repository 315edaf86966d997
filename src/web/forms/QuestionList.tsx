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
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import * as texts from '../../texts/generated/formBuilder.ts'
import styles from './QuestionList.module.css'
import { QuestionRow } from './QuestionRow.tsx'
import type { FormBuilderState } from './use-form-builder.ts'

/** The questions in order, which can be changed by dragging, by keyboard on the handle, or with the two arrows. */
export function QuestionList({ builder }: { builder: FormBuilderState }) {
  const { questions } = builder.form
  const sensors = useSensors(
    // Dragging starts only after a few pixels, so that a tap on the handle stays a tap.
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const drop = ({ active, over }: DragEndEvent) => {
    const from = questions.findIndex(({ key }) => key === active.id)
    const to = questions.findIndex(({ key }) => key === over?.id)
    if (from !== -1 && to !== -1 && from !== to) builder.move(from, to)
  }
  /** The screen reader announcements while a question is moved by keyboard. */
  const place = (key: UniqueIdentifier | undefined) => questions.findIndex((question) => question.key === key) + 1
  const count = questions.length
  const announcements: Announcements = {
    onDragStart: ({ active }) => texts.taken({ position: place(active.id), count }),
    onDragOver: ({ over }) => (over ? texts.nowAt({ position: place(over.id), count }) : undefined),
    onDragEnd: ({ over }) => texts.putAt({ position: place(over?.id), count }),
    onDragCancel: ({ active }) => texts.stays({ position: place(active.id) }),
  }
  if (questions.length === 0) return <p className={styles.none}>{texts.noQuestions()}</p>
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop} accessibility={{ announcements }}>
      <SortableContext items={questions.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
        <ol className={styles.questions}>
          {questions.map((draft, index) => (
            <QuestionRow key={draft.key} builder={builder} draft={draft} index={index} />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  )
}
