import { Button, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { Refusal } from '../../contract/errors.ts'
import { type Event, eventApi, eventFields, wrongTimes } from '../../contract/events.ts'
import { useCall } from '../api/call.ts'
import { paths } from '../paths.ts'
import { currencies, timeZones } from '../ui/choices.ts'
import { showFieldErrors } from '../ui/form-errors.ts'
import { type EventFormValues, toFields } from './event-form-values.ts'

interface Props {
  event: Event | null
  values: EventFormValues
}

/** All of an event's fields; saving can publish it too. */
export function EventForm({ event, values }: Props) {
  const navigate = useNavigate()
  const save = useCall(eventApi.save)
  const form = useForm<EventFormValues>({ defaultValues: values })
  const { errors } = form.formState

  const submitAs = (status: Event['status']) =>
    form.handleSubmit(async (texts) => {
      try {
        await save.mutateAsync({ ...readFields(texts), status, ...(event && { id: event.id }) })
        await navigate(paths.adminDashboard)
      } catch (error) {
        showFieldErrors(form, error)
      }
    })
  const text = (name: keyof EventFormValues) => ({ error: errors[name]?.message, ...form.register(name) })
  const status = event?.status ?? 'draft'

  return (
    <form className="card" onSubmit={submitAs(status)} noValidate>
      <Stack>
        <TextInput label="Name" required {...text('name')} />
        <Textarea
          label="Description"
          description="Markdown: **bold**, *italic*, - lists, [links](https://example.org)"
          autosize
          minRows={4}
          {...text('description')}
        />
        <TextInput label="Place" {...text('location')} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Starts" type="datetime-local" required {...text('startsAt')} />
          <TextInput label="Ends" type="datetime-local" required {...text('endsAt')} />
        </SimpleGrid>
        <NativeSelect
          label="Time zone"
          description="All times here are in this zone."
          data={timeZones}
          {...text('timeZone')}
        />
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput label="Capacity" description="Empty: no limit" inputMode="numeric" {...text('maxAttendees')} />
          <TextInput label="Price" description="0: free" inputMode="decimal" {...text('ticketPrice')} />
          <NativeSelect label="Currency" description="Of the price" data={currencies} {...text('currency')} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label="Registration opens"
            description="Empty: at once"
            type="datetime-local"
            {...text('registrationOpensAt')}
          />
          <TextInput
            label="Registration closes"
            description="Empty: at the end"
            type="datetime-local"
            {...text('registrationClosesAt')}
          />
        </SimpleGrid>
        <Group>
          {status === 'draft' && (
            <Button size="md" loading={save.isPending} onClick={submitAs('published')}>
              Save and publish
            </Button>
          )}
          <Button type="submit" size="md" variant={status === 'draft' ? 'light' : 'filled'} loading={save.isPending}>
            {status === 'draft' ? 'Save as draft' : 'Save'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const formFields = z.omit(eventFields, { status: true })

/** The texts as the call's fields, or a refusal as the server would give it. */
function readFields(texts: EventFormValues) {
  const { fields, wrong } = toFields(texts)
  // Checked as it would travel, so that the server's words are the form's.
  const checked = z.safeParse(formFields, z.safeEncode(formFields, fields).data ?? fields)
  const issues = checked.success
    ? []
    : checked.error.issues.map(({ path, message }) => ({ path: path.join('.'), msg: message }))
  const all = [...wrong, ...issues.filter(({ path }) => path !== 'startsAt' && path !== 'endsAt')]
  const contradictions = wrong.length === 0 ? wrongTimes(fields) : []
  if (all.length + contradictions.length > 0)
    throw new Refusal('INVALID_INPUT', { fields: [...all, ...contradictions] })
  return fields
}
