import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { type PersonalRecord, personalDataApi } from '../../contract/personal-data.ts'
import { formatDate } from '../../contract/values/dates.ts'
import { formatPhone } from '../../contract/values/phones.ts'
import * as texts from '../../texts/generated/personalData.ts'
import type { Message } from '../../texts/language.ts'
import { download } from '../api/download.ts'
import { useCall } from '../api/query.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import styles from './PersonalDataPage.module.css'

interface Props {
  clubId: number
  records: readonly PersonalRecord[]
}

/** Why a record cannot be deleted: beside it in a few words, and once for all of them in a sentence. */
const keptTexts: Readonly<Record<NonNullable<PersonalRecord['kept']>, { badge: Message; sentence: Message }>> = {
  upcoming: { badge: texts.keptUpcomingShort, sentence: texts.keptUpcoming },
  order: { badge: texts.keptOrderShort, sentence: texts.keptOrder },
  paid: { badge: texts.keptPaidShort, sentence: texts.keptPaid },
  money: { badge: texts.keptMoneyShort, sentence: texts.keptMoney },
  mail: { badge: texts.keptMailShort, sentence: texts.keptMail },
}

/** The records that were found, to choose those of the person, and what can be done with them. */
export function Records({ clubId, records }: Props) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [isAsked, setAsked] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const erase = useCall(personalDataApi.deleteRecords)
  // What was deleted is not found again.
  const chosen = records.filter(({ key }) => ticked.has(key))
  const deletable = chosen.filter(({ kept }) => kept === null).map(({ key }) => key)
  const keys = chosen.map(({ key }) => key)
  const reasons = [...new Set(records.flatMap(({ kept }) => kept ?? []))]
  // What is true of all of them is not said beside each.
  const isSameForAll = reasons.length === 1 && records.every(({ kept }) => kept !== null)
  const toggle = (key: string) => {
    const next = new Set(ticked)
    if (!next.delete(key)) next.add(key)
    setTicked(next)
  }
  const save = async () => {
    setSaving(true)
    // A refusal has been shown by the call itself.
    await download(personalDataApi.downloadRecords, { clubId, keys }).catch(() => {})
    setSaving(false)
  }
  const close = () => setAsked(false)
  return (
    <>
      <p>{texts.chooseHint()}</p>
      {reasons.length > 0 && (
        <ul className={styles.reasons}>
          {reasons.map((reason) => (
            <li key={reason}>
              {!isSameForAll && (
                <>
                  <span className="badge">{keptTexts[reason].badge()}</span>{' '}
                </>
              )}
              {keptTexts[reason].sentence()}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.all}>
        <Checkbox
          label={texts.chooseAll()}
          checked={chosen.length === records.length}
          indeterminate={chosen.length > 0 && chosen.length < records.length}
          onChange={({ target }) => setTicked(new Set(target.checked ? records.map(({ key }) => key) : []))}
        />
        <span className="muted small" role="status">
          {texts.chosen({ count: chosen.length })}
        </span>
      </div>
      <ul className={styles.records}>
        {records.map((record) => (
          <li key={record.key}>
            <Checkbox
              checked={ticked.has(record.key)}
              onChange={() => toggle(record.key)}
              label={<RecordText record={record} hasReason={!isSameForAll} />}
            />
          </li>
        ))}
      </ul>
      <div className={styles.actions} data-floating={keys.length > 0 || undefined}>
        <Button variant="light" disabled={keys.length === 0} loading={isSaving} onClick={() => void save()}>
          {texts.download()}
        </Button>
        <Button color="red" variant="light" disabled={deletable.length === 0} onClick={() => setAsked(true)}>
          {texts.deleteData()}
        </Button>
      </div>
      <RemovalDialog
        title={texts.deleteQuestion({ count: deletable.length })}
        action={texts.deleteNow()}
        isOpen={isAsked}
        isBusy={erase.isPending}
        onConfirm={() => erase.mutate({ payload: { clubId, keys: deletable } }, { onSettled: close })}
        onClose={close}
      >
        <p>{texts.deleteText()}</p>
      </RemovalDialog>
    </>
  )
}

const whenTexts = {
  registration: texts.registeredOn,
  holder: texts.gaveAwayOn,
  conflict: texts.cameOn,
  code: texts.codeMadeOn,
} as const

function RecordText({
  record: { kind, name, email, phone, eventName, at, timeZone, kept },
  hasReason,
}: {
  record: PersonalRecord
  /** Whether it says why it cannot be deleted. */
  hasReason: boolean
}) {
  return (
    <span className={styles.record}>
      <strong>{name}</strong>
      {email !== '' && <span>{email}</span>}
      {phone !== '' && <span>{formatPhone(phone)}</span>}
      <span>{eventName}</span>
      <span className="muted small">{whenTexts[kind]({ date: formatDate(at, timeZone) })}</span>
      {hasReason && kept && <span className={`badge ${styles.kept}`}>{keptTexts[kept].badge()}</span>}
    </span>
  )
}
