import { Button, FileButton, Group } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { clubMemberApi } from '../../contract/club-members.ts'
import { formatDate } from '../../contract/values/dates.ts'
import * as texts from '../../texts/generated/members.ts'
import { query, useCall } from '../api/query.ts'
import { RemovalDialog } from '../ui/dialogs/RemovalDialog.tsx'
import { MembersDialog } from './MembersDialog.tsx'
import { type Rows, rowsOf, Unreadable } from './read-list.ts'

/** In the settings of a club, the list of its members, for tickets that only they can buy. */
export function MembersCard({ clubId, timeZone }: { clubId: number; timeZone: string }) {
  const asked = query(clubMemberApi.getMemberList, { clubId })
  const { data: list } = useSuspenseQuery(asked)
  const [rows, setRows] = useState<Rows | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  const reset = useRef<() => void>(null)
  const client = useQueryClient()
  const save = useCall(clubMemberApi.saveMembers)

  async function read(file: File | null): Promise<void> {
    if (!file) return
    setProblem(null)
    // The same file, once it is corrected, is chosen again.
    reset.current?.()
    try {
      const found = await rowsOf(file)
      if (!found.some((row) => row.some((cell) => cell !== ''))) return setProblem(texts.noRows())
      setRows(found)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      setProblem(error.message)
    }
  }
  const remove = () =>
    save
      .mutateAsync({ payload: { clubId, members: [] } })
      .then(
        () => client.refetchQueries(asked),
        () => {},
      )
      .finally(() => setRemoving(false))

  return (
    <section className="card" aria-labelledby="members">
      <h2 id="members">{texts.title()}</h2>
      <p className="muted">{texts.whatFor()}</p>
      <p>{list ? texts.known({ count: list.size, date: formatDate(list.uploadedAt, timeZone) }) : texts.none()}</p>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      <Group gap="xs">
        <FileButton resetRef={reset} accept=".xlsx,.csv,.txt,text/csv" onChange={(file) => void read(file)}>
          {(props) => (
            <Button variant="light" {...props}>
              {list ? texts.replace() : texts.upload()}
            </Button>
          )}
        </FileButton>
        {list && (
          <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
            {texts.remove()}
          </Button>
        )}
      </Group>
      {rows && <MembersDialog clubId={clubId} rows={rows} onClose={() => setRows(null)} />}
      <RemovalDialog
        title={texts.removeTitle()}
        action={texts.remove()}
        isOpen={isRemoving}
        isBusy={save.isPending}
        onConfirm={() => void remove()}
        onClose={() => setRemoving(false)}
      >
        <p>{texts.removeText()}</p>
      </RemovalDialog>
    </section>
  )
}
