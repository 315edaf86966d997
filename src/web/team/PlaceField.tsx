import { useController, useFormContext } from 'react-hook-form'
import { PlaceFields } from './PlaceFields.tsx'
import type { Place } from './place.ts'

/** The role and events, for a form with a field `place`. */
export function PlaceField({ clubId }: { clubId: number }) {
  const { control } = useFormContext<{ place: Place }>()
  const { field, formState } = useController({ control, name: 'place' })
  const error = formState.errors.place?.eventIds?.message
  return <PlaceFields value={field.value} onChange={field.onChange} clubId={clubId} error={error} />
}
