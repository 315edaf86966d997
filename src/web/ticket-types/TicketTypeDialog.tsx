import { NativeSelect, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { Refusal } from '../../contract/errors.ts'
import type { Event } from '../../contract/event.ts'
import { MOST_IN_ORDER } from '../../contract/order.ts'
import { onSale, type TicketType } from '../../contract/ticket-type.ts'
import { type TicketTypeFields, ticketTypeApi } from '../../contract/ticket-types.ts'
import * as texts from '../../texts/generated/ticketTypes.ts'
import { query, useCall } from '../api/query.ts'
import { EntryDialog } from '../ui/dialogs/EntryDialog.tsx'
import { useSending } from '../ui/dialogs/use-sending.ts'
import { MomentField } from '../ui/forms/MomentField.tsx'
import { notify } from '../ui/notices/notify.ts'
import { fieldsOf, type TypeValues, valuesOf } from './type-values.ts'

interface Props {
  event: Event
  /** Null to add one. */
  type: TicketType | null
  /** Those on sale, as this page has them. */
  types: readonly TicketType[]
  onClose: () => void
}

/** Adds a kind of ticket, or edits one. */
export function TicketTypeDialog(props: Props) {
  const readLatest = useReadLatest(props.event.id)
  // Each version has its own form; while one is being filled in, a newer version does not replace it.
  const [{ type, types }, setSeen] = useState({ type: props.type, types: props.types })
  async function reload(): Promise<void> {
    const found = await readLatest()
    const own = found.find(({ id }) => id === type?.id) ?? null
    if (type && !own) {
      notify('error', texts.takenOffMeanwhile({ name: type.name }))
      props.onClose()
    } else setSeen({ type: own, types: found })
  }
  return (
    <TicketTypeForm
      key={type?.version}
      {...props}
      type={type}
      types={types}
      onReload={() => void reload().catch(() => notify('error', texts.noConnection()))}
    />
  )
}

function useReadLatest(eventId: number) {
  const client = useQueryClient()
  return async () =>
    onSale(await client.fetchQuery({ ...query(ticketTypeApi.getTicketTypes, { eventId }), staleTime: 0 }))
}

function TicketTypeForm({ event, type, types, onClose, onReload }: Props & { onReload: () => void }) {
  const save = useCall(ticketTypeApi.saveTicketTypes, { quiet: true })
  const readLatest = useReadLatest(event.id)
  const form = useForm<TypeValues>({ defaultValues: valuesOf(type, event) })
  const { errors, isDirty } = form.formState
  const { sent, show, send } = useSending({ form, fieldAt, order: fieldNames })

  /** Saves this type among those that were seen. What a colleague changed in others meanwhile stays as they have it. */
  async function store(fields: TicketTypeFields, seen: readonly TicketType[]): Promise<void> {
    const ticketTypes = seen.map(({ id }) => (id === type?.id ? { id, ...fields } : { id }))
    try {
      await save.mutateAsync({
        payload: {
          eventId: event.id,
          ticketTypes: type ? ticketTypes : [...ticketTypes, fields],
          seen: seen.map(({ id, version }) => ({ id, version })),
        },
      })
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'EDIT_CONFLICT') throw error
      const latest = await readLatest()
      const isSame = type === null || latest.some(({ id, version }) => id === type.id && version === type.version)
      if (!isSame) throw error
      await store(fields, latest)
    }
  }

  const submit = form.handleSubmit(async (values) => {
    const { fields, errors: unread } = fieldsOf(values, event)
    if (unread.length > 0) return show(unread)
    await send(async () => {
      await store(fields, types)
      onClose()
    })
  })
  const text = (name: keyof TypeValues) => ({ error: errors[name]?.message, ...form.register(name) })
  const moment = (name: 'saleOpensAt' | 'saleClosesAt', label: string, description: string) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <MomentField {...field} label={label} description={description} error={errors[name]?.message} />
      )}
    />
  )
  return (
    <EntryDialog
      title={type ? texts.editTitle() : texts.addATicket()}
      isDirty={isDirty}
      isBusy={save.isPending}
      sent={sent}
      onSubmit={(submitted) => void submit(submitted)}
      onReload={onReload}
      onClose={onClose}
    >
      <TextInput label={texts.name()} required {...text('name')} data-autofocus />
      <Textarea label={texts.descriptionOptional()} autosize minRows={2} {...text('description')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={texts.priceIn({ currency: event.currency.toUpperCase() })}
          description={texts.text0Free()}
          inputMode="decimal"
          {...text('price')}
        />
        <TextInput
          label={texts.howManyOptional()}
          description={texts.emptyOnlyPlaces()}
          inputMode="numeric"
          {...text('maxQuantity')}
        />
        <TextInput
          label={texts.leastPerOrder()}
          description={texts.emptyLeast()}
          inputMode="numeric"
          {...text('minPerOrder')}
        />
        <TextInput
          label={texts.mostPerOrder()}
          description={texts.emptyMost({ most: MOST_IN_ORDER })}
          inputMode="numeric"
          {...text('maxPerOrder')}
        />
        <NativeSelect
          label={texts.whoCanBuy()}
          description={accessHelp[form.watch('access')]()}
          data={[
            { value: 'public', label: texts.everybody() },
            { value: 'code', label: texts.onlyWithCode() },
            { value: 'member', label: texts.onlyMembers() },
          ]}
          {...text('access')}
        />
        {form.watch('access') === 'member' && (
          <TextInput label={texts.perMember()} inputMode="numeric" {...text('maxPerMember')} />
        )}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {moment('saleOpensAt', texts.saleOpensOptional(), texts.emptyWithRegistration())}
        {moment('saleClosesAt', texts.saleClosesOptional(), texts.emptyWithRegistrationEnd())}
      </SimpleGrid>
    </EntryDialog>
  )
}

const accessHelp = { public: texts.everybodyHelp, code: texts.withCodeHelp, member: texts.membersHelp }

const fieldNames = [
  'name',
  'description',
  'price',
  'maxQuantity',
  'minPerOrder',
  'maxPerOrder',
  'access',
  'maxPerMember',
  'saleOpensAt',
  'saleClosesAt',
] as const

/** The field of an error: its path in the call, or in the form. */
function fieldAt(path: string): keyof TypeValues {
  const last = path.split('.').at(-1)
  return fieldNames.find((name) => name === last) ?? 'name'
}
