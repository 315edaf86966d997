import type { HistoryEntry } from '../../contract/history.ts'
import * as texts from '../../texts/generated/historyWords.ts'
import { inLanguage, type Language } from '../../texts/language.ts'
import type { OwnClub } from '../access/own-club.ts'
import type { Deps } from '../deps.ts'
import { makeInZone, timestamp } from '../sheets/times.ts'
import { type Cell, type Column, xlsxStream } from '../sheets/xlsx.ts'
import { readHistory } from './list.ts'
import type { Filters } from './queries.ts'

const PORTION = 1_000

/** A spreadsheet of all entries of a club's history that the filters find, streamed in portions. Text stays text, whatever it begins with. */
export function historySheet({ db, now }: Deps, club: OwnClub, filters: Filters, language: Language) {
  const inZone = makeInZone(club.timeZone)

  async function* portions(): AsyncGenerator<Cell[][]> {
    let before: number | null = null
    for (;;) {
      const entries: HistoryEntry[] = await readHistory(db, club, { filters, before, limit: PORTION }, language)
      if (entries.length === 0) return
      yield inLanguage(language, () => entries.map((entry) => toCells(entry, inZone)))
      before = entries.at(-1)?.id ?? null
      if (entries.length < PORTION || before === null) return
    }
  }

  const { name, columns } = inLanguage(language, () => ({ name: texts.history(), columns: columnsOf() }))
  const content = xlsxStream({ name, columns, portions: portions() })
  return { name: `History-club-${club.id}-${timestamp(now(), club.timeZone)}.xlsx`, content }
}

function columnsOf(): Column[] {
  return [
    { header: texts.when(), width: 17, format: 'date and time' },
    { header: texts.who(), width: 24 },
    { header: texts.what(), width: 30 },
    { header: texts.about(), width: 28 },
    { header: texts.event(), width: 28 },
    { header: texts.before(), width: 40 },
    { header: texts.after(), width: 40 },
  ]
}

function toCells({ at, by, action, about, event, changes }: HistoryEntry, inZone: (moment: Date) => Date): Cell[] {
  const before = changes.flatMap(({ field, before }) =>
    before === null ? [] : [texts.fieldIs({ field, value: before })],
  )
  const after = changes.flatMap(({ field, before, after }) => {
    if (after !== null) return [texts.fieldIs({ field, value: after })]
    return before === null ? [texts.fieldChanged({ field })] : []
  })
  return [
    inZone(at),
    by,
    action,
    orEmpty(about),
    event && (event.name === '' ? texts.removedEvent() : event.name),
    orEmpty(before.join('; ')),
    orEmpty(after.join('; ')),
  ]
}

const orEmpty = (text: string): Cell => (text === '' ? null : text)
