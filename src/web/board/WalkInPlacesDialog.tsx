import { Button, Checkbox, NumberInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { MOST_KEPT_PLACES, type WalkInQuota, walkInApi } from '../../contract/walk-ins.ts'
import * as texts from '../../texts/generated/board.ts'
import { useCall } from '../api/query.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'

interface Props {
  eventId: number
  quota: WalkInQuota
  onClose: () => void
}

/** Changes how many places a phone keeps for people without a ticket. */
export function WalkInPlacesDialog({ eventId, quota: { phoneId, phoneName, granted, used, wanted }, onClose }: Props) {
  const kept = Math.max(0, wanted - used)
  const [places, setPlaces] = useState<number | string>(kept)
  const [isLost, setLost] = useState(false)
  const give = useCall(walkInApi.giveWalkInPlaces, { quiet: true })
  const number = typeof places === 'number' ? places : null
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (number === null) return
    await give
      .mutateAsync({ payload: { eventId, phoneId, places: number, ...(isLost && { isLost }) } })
      .then(onClose, () => {})
  }
  const problem = number === null ? texts.placesNeeded() : (give.error?.fields[0]?.msg() ?? give.error?.message)
  return (
    <FormDialog title={phoneName} isDirty={places !== kept || isLost} isBusy={give.isPending} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <NumberInput
          label={texts.placesToKeep()}
          description={texts.placesToKeepHelp()}
          min={0}
          max={MOST_KEPT_PLACES}
          allowDecimal={false}
          inputMode="numeric"
          value={places}
          onChange={(value) => {
            setPlaces(value)
            give.reset()
          }}
          error={problem}
          data-autofocus
        />
        {granted > used && (
          <Checkbox
            mt="md"
            label={texts.phoneLost()}
            description={texts.phoneLostText()}
            checked={isLost}
            onChange={({ target }) => {
              setLost(target.checked)
              setPlaces(target.checked ? 0 : kept)
            }}
          />
        )}
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            {texts.placesCancel()}
          </Button>
          <Button type="submit" loading={give.isPending}>
            {texts.placesSave()}
          </Button>
        </DialogButtons>
      </form>
    </FormDialog>
  )
}
