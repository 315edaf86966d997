import { ActionIcon, Button, Group, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useFieldArray, useForm } from 'react-hook-form'
import type { Event } from '../../contract/event.ts'
import { type Extras, extrasApi } from '../../contract/extras.ts'
import { editableAmount, minorUnits } from '../../contract/values/typed-amounts.ts'
import * as texts from '../../texts/generated/vouchersPage.ts'
import { query, useCall } from '../api/query.ts'
import { EntryDialog } from '../ui/dialogs/EntryDialog.tsx'
import { useSending } from '../ui/dialogs/use-sending.ts'
import { focusAfterRemoval } from '../ui/forms/focus-after-removal.ts'
import { notify } from '../ui/notices/notify.ts'
import styles from './VoucherDialog.module.css'

interface Values {
  name: string
  description: string
  price: string
  maxQuantity: string
  content: { name: string; quantity: string }[]
}

interface Props {
  event: Event
  extras: Extras | null
  onClose: () => void
}

/** Adds a voucher, or edits one. */
export function VoucherDialog(props: Props) {
  const client = useQueryClient()
  // Each version has its own form; while one is being filled in, a newer version does not replace it.
  const [extras, setExtras] = useState(props.extras)
  async function reload(): Promise<void> {
    const latest = query(extrasApi.getExtras, { eventId: props.event.id })
    const found = (await client.fetchQuery({ ...latest, staleTime: 0 })).find(({ id }) => id === extras?.id)
    if (found) setExtras(found)
    else props.onClose()
  }
  return (
    <VoucherForm
      key={extras?.version}
      {...props}
      extras={extras}
      onReload={() => void reload().catch(() => notify('error', texts.noConnection()))}
    />
  )
}

function VoucherForm({ event, extras, onClose, onReload }: Props & { onReload: () => void }) {
  const save = useCall(extrasApi.saveExtras, { quiet: true })
  const form = useForm<Values>({ defaultValues: valuesOf(extras, event.currency) })
  const { errors, isDirty } = form.formState
  const content = useFieldArray({ control: form.control, name: 'content' })
  const { sent, send } = useSending({ form, fieldAt })
  const [lines, setLines] = useState<HTMLElement | null>(null)

  const submit = form.handleSubmit((values) =>
    send(async () => {
      const own = extras && { id: extras.id, version: extras.version }
      await save.mutateAsync({ payload: { eventId: event.id, ...own, ...read(values, event) } })
      onClose()
    }),
  )
  return (
    <EntryDialog
      title={extras ? texts.editTitle() : texts.addAVoucher()}
      isDirty={isDirty}
      isBusy={save.isPending}
      sent={sent}
      onSubmit={(submitted) => void submit(submitted)}
      onReload={onReload}
      onClose={onClose}
    >
      <TextInput label={texts.name()} required error={errors.name?.message} {...form.register('name')} data-autofocus />
      <Textarea
        label={texts.descriptionOptional()}
        autosize
        minRows={2}
        error={errors.description?.message}
        {...form.register('description')}
      />
      <div className={styles.numbers}>
        <TextInput
          label={texts.priceIn({ currency: event.currency.toUpperCase() })}
          description={texts.text0Free()}
          inputMode="decimal"
          error={errors.price?.message}
          {...form.register('price')}
        />
        <TextInput
          label={texts.howManyOptional()}
          description={texts.emptyNoLimit()}
          inputMode="numeric"
          error={errors.maxQuantity?.message}
          {...form.register('maxQuantity')}
        />
      </div>
      <fieldset className="plain" ref={setLines}>
        <legend>{texts.whatItIncludesOptional()}</legend>
        <p className="muted small">{texts.noContentsHint()}</p>
        {content.fields.map((field, index) => (
          <Group key={field.id} align="start" wrap="nowrap" mb="xs">
            <TextInput
              aria-label={texts.quantityOf({ position: index + 1 })}
              inputMode="numeric"
              w={80}
              error={errors.content?.[index]?.quantity?.message}
              {...form.register(`content.${index}.quantity`)}
            />
            <TextInput
              aria-label={texts.item({ position: index + 1 })}
              placeholder={texts.drink()}
              style={{ flex: 1 }}
              error={errors.content?.[index]?.name?.message}
              {...form.register(`content.${index}.name`)}
            />
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              aria-label={texts.removeItem({ position: index + 1 })}
              data-remove="line"
              onClick={() => {
                content.remove(index)
                focusAfterRemoval(lines, index, 'line')
              }}
            >
              ×
            </ActionIcon>
          </Group>
        ))}
        <Button variant="light" onClick={() => content.append({ name: '', quantity: '1' })}>
          {texts.addAnItem()}
        </Button>
      </fieldset>
    </EntryDialog>
  )
}

function valuesOf(extras: Extras | null, currency: string): Values {
  if (!extras) return { name: '', description: '', price: '0', maxQuantity: '', content: [] }
  const { name, description, price, maxQuantity, content } = extras
  return {
    name,
    description,
    price: editableAmount(price, currency),
    maxQuantity: maxQuantity === null ? '' : String(maxQuantity),
    content: content.map((item) => ({ name: item.name, quantity: String(item.quantity) })),
  }
}

/** Converts the texts to the call's fields; text that is not a number becomes a value that the call refuses with a fitting message. */
function read({ name, description, price, maxQuantity, content }: Values, event: Event) {
  const whole = (text: string) => (/^\s*\d{1,9}\s*$/.test(text) ? Number(text) : Number.NaN)
  return {
    name,
    description,
    price: minorUnits(price, event.currency) ?? Number.NaN,
    maxQuantity: maxQuantity.trim() === '' ? null : whole(maxQuantity),
    content: content.map((item) => ({ name: item.name, quantity: whole(item.quantity) })),
  }
}

type Field = 'name' | 'description' | 'price' | 'maxQuantity' | `content.${number}.name` | `content.${number}.quantity`

function fieldAt(path: string): Field {
  const [, first = '', index, last] = /^payload\.(\w+)(?:\.(\d+)\.(\w+))?$/.exec(path) ?? []
  if (index !== undefined)
    return last === 'quantity' ? `content.${Number(index)}.quantity` : `content.${Number(index)}.name`
  return first === 'description' || first === 'price' || first === 'maxQuantity' ? first : 'name'
}
