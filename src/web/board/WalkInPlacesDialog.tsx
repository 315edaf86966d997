import { Button, Checkbox, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Refusal } from '../../contract/errors.ts'
import { MOST_KEPT_PLACES, type WalkInQuota, walkInApi } from '../../contract/walk-ins.ts'
import * as texts from '../../texts/generated/board.ts'
import { useCall } from '../api/query.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import styles from './Board.module.css'

interface Props {
  eventId: number
  quota: WalkInQuota
  /** How many other places are free; null for no limit. */
  free: number | null
  onClose: () => void
}

/** Changes how many places a phone keeps for people without a ticket. */
export function WalkInPlacesDialog({ eventId, quota, free, onClose }: Props) {
  const { phoneId, phoneName, granted, used, wanted } = quota
  const kept = String(Math.max(0, wanted - used))
  const [typed, setTyped] = useState(kept)
  const [isLost, setLost] = useState(false)
  const [problem, setProblem] = useState<string>()
  const give = useCall(walkInApi.giveWalkInPlaces, { quiet: true })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const places = /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : null
    if (places === null) return setProblem(texts.placesNeeded())
    if (places > MOST_KEPT_PLACES) return setProblem(texts.placesAtMost({ most: MOST_KEPT_PLACES }))
    await give
      .mutateAsync({ payload: { eventId, phoneId, places, wanted, used, ...(isLost && { isLost }) } })
      .then(onClose, ({ code, fields, message }: Refusal) =>
        setProblem(code === 'EDIT_CONFLICT' ? texts.placesChanged() : (fields[0]?.msg() ?? message)),
      )
  }
  return (
    <FormDialog
      title={texts.changePlacesOf({ phone: phoneName })}
      isDirty={typed !== kept || isLost}
      isBusy={give.isPending}
      onClose={onClose}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <TextInput
          label={texts.placesToKeep()}
          description={
            <>
              <span className={styles.line}>{texts.placesToKeepHelp()}</span>
              {free !== null && <span className={styles.line}>{texts.walkInsFree({ count: free })}</span>}
            </>
          }
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value)
            setProblem(undefined)
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
              setTyped(target.checked ? '0' : kept)
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
