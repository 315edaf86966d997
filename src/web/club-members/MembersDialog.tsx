import { Button, NativeSelect, SimpleGrid, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { clubMemberApi, MOST_MEMBERS } from '../../contract/club-members.ts'
import { Refusal } from '../../contract/errors.ts'
import * as inputTexts from '../../texts/generated/memberInput.ts'
import * as texts from '../../texts/generated/members.ts'
import { query, useCall } from '../api/query.ts'
import { DialogButtons } from '../ui/buttons/DialogButtons.tsx'
import { FormDialog } from '../ui/dialogs/FormDialog.tsx'
import { type Columns, columnsOf, guessColumns, headsOf, membersIn, type Rows } from './read-list.ts'

interface Props {
  clubId: number
  rows: Rows
  onClose: () => void
}

/** How many of the rows that are not read are named. */
const MOST_NAMED = 20

/** Says what a list has before it replaces the one of the club, and which columns are read. */
export function MembersDialog({ clubId, rows, onClose }: Props) {
  const [columns, setColumns] = useState<Columns>(() => guessColumns(rows))
  const save = useCall(clubMemberApi.saveMembers, { quiet: true })
  const client = useQueryClient()
  const [problem, setProblem] = useState<string | null>(null)
  const { members, repeated, refused } = membersIn(rows, columns)
  const isTooLong = members.length > MOST_MEMBERS

  async function replace(): Promise<void> {
    setProblem(null)
    try {
      await save.mutateAsync({ payload: { clubId, members } })
      await client.refetchQueries(query(clubMemberApi.getMemberList, { clubId }))
      onClose()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setProblem(error.fields[0]?.msg() ?? error.message)
    }
  }
  return (
    <FormDialog isDirty={false} isBusy={save.isPending} onClose={onClose} title={texts.checkTitle()} size="lg">
      <Stack>
        {problem !== null && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <ColumnField
            label={texts.numbersIn()}
            rows={rows}
            value={columns.number}
            onChange={(number) => setColumns({ ...columns, number })}
          />
          <ColumnField
            label={texts.addressesIn()}
            rows={rows}
            value={columns.email}
            onChange={(email) => setColumns({ ...columns, email })}
          />
        </SimpleGrid>
        <div role="status">
          <p>
            <strong>{texts.read({ count: members.length })}</strong>
          </p>
          {isTooLong && <p>{inputTexts.mostMembers({ most: MOST_MEMBERS })}</p>}
          {repeated > 0 && <p>{texts.repeated({ count: repeated })}</p>}
          {refused.length > 0 && <p>{texts.refused({ count: refused.length })}</p>}
        </div>
        {refused.length > 0 && (
          <ul>
            {refused.slice(0, MOST_NAMED).map(({ row, why }) => (
              <li key={row}>{texts.inRow({ row, why: why() })}</li>
            ))}
            {refused.length > MOST_NAMED && <li>{texts.andMore({ count: refused.length - MOST_NAMED })}</li>}
          </ul>
        )}
        <p className="muted">{texts.onlyHashes()}</p>
        <DialogButtons>
          <Button variant="default" onClick={onClose}>
            {texts.close()}
          </Button>
          <Button loading={save.isPending} disabled={members.length === 0 || isTooLong} onClick={() => void replace()}>
            {texts.useList()}
          </Button>
        </DialogButtons>
      </Stack>
    </FormDialog>
  )
}

interface ColumnProps {
  label: string
  rows: Rows
  value: number | null
  onChange: (column: number | null) => void
}

function ColumnField({ label, rows, value, onChange }: ColumnProps) {
  const heads = headsOf(rows)
  const options = Array.from({ length: columnsOf(rows) }, (_, index) => {
    // What is in it tells more than its name alone.
    const [example = ''] = rows.flatMap((row) => (row !== heads && row[index] ? [row[index]] : []))
    const name = heads?.[index]
    return {
      value: String(index),
      label: name ? texts.namedColumn({ name, example }) : texts.column({ place: index + 1, example }),
    }
  })
  return (
    <NativeSelect
      label={label}
      data={[{ value: '', label: texts.noColumn() }, ...options]}
      value={value === null ? '' : String(value)}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    />
  )
}
