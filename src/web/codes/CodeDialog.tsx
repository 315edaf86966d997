import { Button, Checkbox, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { type Code, codeApi } from '../../contract/codes.ts'
import type { Event } from '../../contract/event.ts'
import type { TicketType } from '../../contract/ticket-type.ts'
import { wrongFields } from '../../contract/wrong-fields.ts'
import * as texts from '../../texts/generated/codesPage.ts'
import { query, useCall } from '../api/query.ts'
import { EntryDialog } from '../ui/dialogs/EntryDialog.tsx'
import { useSending } from '../ui/dialogs/use-sending.ts'
import { MomentField } from '../ui/forms/MomentField.tsx'
import { notify } from '../ui/notices/notify.ts'
import { type CodeChoice, type CodeValues, codeChoices, fieldsOf, newCode, valuesOf } from './code-values.ts'

interface Props {
  event: Event
  /** Null to add one. */
  code: Code | null
  /** Also those no longer on sale: a code may be for one of them. */
  types: readonly TicketType[]
  onClose: () => void
}

/** Adds a code, or edits one. */
export function CodeDialog(props: Props) {
  const client = useQueryClient()
  // Each version has its own form; while one is being filled in, a newer version does not replace it.
  const [code, setCode] = useState(props.code)
  async function reload(): Promise<void> {
    const codes = await client.fetchQuery({ ...query(codeApi.getCodes, { eventId: props.event.id }), staleTime: 0 })
    const latest = codes.find(({ id }) => id === code?.id)
    if (latest) return setCode(latest)
    notify('error', texts.removedMeanwhile({ code: code?.code ?? '' }))
    props.onClose()
  }
  return (
    <CodeForm
      key={code?.version}
      {...props}
      code={code}
      onReload={() => void reload().catch(() => notify('error', texts.noConnection()))}
    />
  )
}

const choiceTexts: Readonly<Record<CodeChoice, () => string>> = {
  percent: texts.percent,
  amount: texts.amount,
  price: texts.price,
  none: texts.onlyOpens,
}

function CodeForm({ event, code, types, onClose, onReload }: Props & { onReload: () => void }) {
  const save = useCall(codeApi.saveCode, { quiet: true })
  const form = useForm<CodeValues>({ defaultValues: valuesOf(code, event) })
  const { errors, isDirty } = form.formState
  const { sent, show, send } = useSending({ form, fieldAt, order: fieldNames })
  const choice = form.watch('choice')
  const offered = types.filter(({ id, removedAt }) => removedAt === null || code?.ticketTypeIds.includes(id))
  const hidden = offered
    .filter(({ access }) => access === 'code')
    .map(({ name }) => name)
    .join(', ')

  const submit = form.handleSubmit(async (values) => {
    const { fields, errors: unread } = fieldsOf(values, event)
    const own = code && { id: code.id, version: code.version }
    const payload = { ...own, eventId: event.id, ...fields }
    // All errors at once, also those that the server would find.
    const checked = z.safeParse(codeApi.saveCode.input, { payload })
    const wrong = [...unread, ...(checked.success ? [] : wrongFields(checked.error.issues))]
    if (wrong.length > 0) return show(wrong)
    await send(async () => {
      await save.mutateAsync({ payload })
      onClose()
    })
  })
  const text = (name: keyof CodeValues) => ({ error: errors[name]?.message, ...form.register(name) })
  const moment = (name: 'opensAt' | 'closesAt', label: string, description: string) => (
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
      title={code ? texts.editTitle() : texts.addACode()}
      isDirty={isDirty}
      isBusy={save.isPending}
      sent={sent}
      onSubmit={(submitted) => void submit(submitted)}
      onReload={onReload}
      onClose={onClose}
    >
      <TextInput
        label={texts.code()}
        description={texts.codeHelp()}
        required
        autoComplete="off"
        spellCheck={false}
        {...text('code')}
        data-autofocus
      />
      {!code && (
        <Button variant="light" onClick={() => form.setValue('code', newCode(), { shouldDirty: true })} w="fit-content">
          {texts.suggest()}
        </Button>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect
          label={texts.whatItDoes()}
          data={codeChoices.map((value) => ({ value, label: choiceTexts[value]() }))}
          {...form.register('choice', { onChange: () => form.clearErrors('value') })}
        />
        {choice !== 'none' && (
          <TextInput
            label={
              choice === 'percent' ? texts.percentField() : texts.amountIn({ currency: event.currency.toUpperCase() })
            }
            inputMode={choice === 'percent' ? 'numeric' : 'decimal'}
            required
            {...text('value')}
          />
        )}
      </SimpleGrid>
      {offered.length > 1 && (
        <Controller
          control={form.control}
          name="ticketTypeIds"
          render={({ field }) => (
            <Checkbox.Group
              label={texts.forTickets()}
              description={
                field.value.length === 0 && hidden !== ''
                  ? texts.noneForAllAndHidden({ tickets: hidden })
                  : texts.noneForAll()
              }
              value={field.value}
              onChange={field.onChange}
              error={errors.ticketTypeIds?.message}
            >
              <Stack gap="xs" mt="xs">
                {offered.map(({ id, name, access }) => (
                  <Checkbox
                    key={id}
                    value={String(id)}
                    label={access === 'code' ? texts.needsCode({ ticket: name }) : name}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
        />
      )}
      <TextInput
        label={texts.howManyOptional()}
        description={texts.emptyNoLimit()}
        inputMode="numeric"
        {...text('maxUses')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {moment('opensAt', texts.fromOptional(), texts.emptyAtOnce())}
        {moment('closesAt', texts.untilOptional(), texts.emptyForGood())}
      </SimpleGrid>
      <TextInput label={texts.noteOptional()} description={texts.noteHelp()} {...text('note')} />
    </EntryDialog>
  )
}

/** The fields that can be wrong, in the order of the form. */
const fieldNames: readonly (keyof CodeValues)[] = [
  ...(['code', 'value', 'ticketTypeIds', 'maxUses', 'opensAt', 'closesAt', 'note'] as const),
]

/** The field of an error: its path in the call, or in the form. */
function fieldAt(path: string): keyof CodeValues {
  return fieldNames.find((name) => path.split('.').includes(name)) ?? 'code'
}
