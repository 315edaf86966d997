import { Button, Group, Stack } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Avatar } from '../ui/Avatar.tsx'
import { ZoomableCode } from '../ui/codes/ZoomableCode.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { Attention } from '../ui/forms/Attention.tsx'
import { EditConflict } from '../ui/forms/EditConflict.tsx'
import { Field } from '../ui/forms/Field.tsx'
import { ImageField, unchangedImage } from '../ui/forms/ImageField.tsx'
import { PhoneField } from '../ui/forms/PhoneField.tsx'
import { SavingFields } from '../ui/forms/SavingFields.tsx'
import { Segments } from '../ui/forms/Segments.tsx'
import { Loading } from '../ui/Loading.tsx'
import { MarkdownField } from '../ui/markdown/MarkdownField.tsx'
import { type NoticeKind, notify } from '../ui/notices/notify.ts'
import { Prose } from '../ui/Prose.tsx'

const noticeKinds: readonly NoticeKind[] = ['success', 'info', 'error']

/** Every component of `ui/` in its states, for development only: the built product does not have this page. */
export function UiPage() {
  return (
    <div className="page">
      <h1>Pieces of the interface</h1>
      <Piece title="Buttons, badges and texts">
        <div className="row">
          <button type="button" className="button">
            Button
          </button>
          <button type="button" className="button" aria-disabled>
            Disabled
          </button>
          <button type="button" className="button quiet">
            Quiet
          </button>
          <button type="button" className="button light">
            Light
          </button>
          <button type="button" className="button small subtle">
            Small, subtle
          </button>
          <span className="badge">Badge</span>
          <span className="badge good">Good</span>
          <span className="badge bad">Bad</span>
          <span className="muted">Muted</span>
          <span className="muted small">Small</span>
          <strong className="code">A1B2-C3D4</strong>
        </div>
        <p className="hint">A hint</p>
        <p className="problem">A problem</p>
        <Prose html="<p>Prose with <strong>bold</strong> text</p><ul><li>and a list</li></ul>" />
      </Piece>
      <Piece title="Fields">
        <Field label="Field" name="field" help="Help below it." />
        <Field label="Invalid field" name="invalid" defaultValue="?" error="Enter your name." required />
        <Field label="Several lines" name="lines" rows={3} />
        <Field label="Choice" name="choice">
          <option>One</option>
          <option>Two</option>
        </Field>
        <PhoneField label="Phone" name="phone" timeZone="Europe/Berlin" />
        <PhoneField
          label="Invalid phone"
          name="bad-phone"
          timeZone="Europe/Berlin"
          defaultValue="+49"
          error="Enter a number."
        />
        <Choice />
        <SavingFields isSaving>
          <Field label="While it is saved" name="saving" defaultValue="Disabled" />
        </SavingFields>
        <Images />
        <FormattedText />
      </Piece>
      <Piece title="Messages of forms">
        <Attention count={2} />
        <EditConflict onReload={() => {}} />
      </Piece>
      <Piece title="Notices">
        <Group>
          {noticeKinds.map((kind) => (
            <Button key={kind} variant="light" onClick={() => notify(kind, `A notice of the kind “${kind}”.`)}>
              {kind}
            </Button>
          ))}
        </Group>
      </Piece>
      <Piece title="Dialogs">
        <Dialogs />
      </Piece>
      <Piece title="Code">
        <ZoomableCode text="https://example.org/qr/1/secret" label="QR code" caption="A1B2-C3D4" />
      </Piece>
      <Piece title="Loading">
        <Loading />
      </Piece>
    </div>
  )
}

function Piece({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

function Images() {
  const [change, setChange] = useState(unchangedImage)
  return (
    <Stack>
      <ImageField what="logo" kind="club-logo" name="Rowing Club" current="" change={change} onChange={setChange} />
      <ImageField
        what="other"
        kind="user"
        draw={(preview) => <Avatar name="Robin Demo" image="" preview={preview} size="large" />}
        current=""
        change={change}
        onChange={setChange}
        error="Choose another."
      />
    </Stack>
  )
}

function FormattedText() {
  const { register } = useForm({ defaultValues: { text: '## Heading\n\nSome **bold** text' } })
  return <MarkdownField label="Formatted text" minRows={4} error={undefined} field={register('text')} />
}

type Open = 'form' | 'busy form' | 'removal' | 'named removal' | null

function Dialogs() {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <Group>
      {(['form', 'busy form', 'removal', 'named removal'] as const).map((kind) => (
        <Button key={kind} variant="light" onClick={() => setOpen(kind)}>
          {kind}
        </Button>
      ))}
      <FormDialog title="Form" isOpen={open === 'form'} isDirty isBusy={false} onClose={close}>
        <Field label="Name" name="name" />
      </FormDialog>
      {/* It cannot be closed: the page has to be reloaded. */}
      <FormDialog title="Busy form" isOpen={open === 'busy form'} isDirty isBusy onClose={close}>
        <Field label="Name" name="name" />
      </FormDialog>
      <RemovalDialog
        title="Remove it?"
        action="Remove"
        isOpen={open === 'removal'}
        isBusy={false}
        onConfirm={close}
        onClose={close}
      >
        <p>This cannot be undone.</p>
      </RemovalDialog>
      <RemovalDialog
        title="Remove the club?"
        name="Rowing Club"
        action="Remove"
        isOpen={open === 'named removal'}
        isBusy={false}
        onConfirm={close}
        onClose={close}
      >
        <p>This cannot be undone.</p>
      </RemovalDialog>
    </Group>
  )
}

function Choice() {
  const [value, setValue] = useState<'one' | 'two'>('one')
  const options = [
    { value: 'one', label: 'One' },
    { value: 'two', label: 'Two' },
  ] as const
  return <Segments label="A choice side by side" options={options} value={value} onChange={setValue} />
}
