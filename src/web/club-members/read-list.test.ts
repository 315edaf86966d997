import { expect, test } from 'vitest'
import { guessColumns, membersIn, type Rows, rowsOf, Unreadable } from './read-list.ts'

const sheet: Rows = [
  ['Name', 'Mitgliedsnummer', 'E-Mail'],
  ['Mia', '0042', 'mia@example.org'],
  ['Max', 'A-7', ''],
  ['Moe', '', 'moe@example.org'],
  ['Nobody', '', ''],
  ['Typo', '9', 'at example'],
  ['Mia again', '42', ''],
]

test('the columns are found by their names and by what is in them', () => {
  expect(guessColumns(sheet)).toEqual({ number: 1, email: 2 })
  expect(guessColumns(sheet.slice(1))).toEqual({ number: 1, email: 2 })
  expect(guessColumns([['mia@example.org'], ['moe@example.org']])).toEqual({ number: null, email: 0 })
  expect(guessColumns([['17'], ['18'], ['19']])).toEqual({ number: 0, email: null })
  expect(guessColumns([['Mia'], ['Moe']])).toEqual({ number: null, email: null })
})

test('rows that are no members are named with the reason, as a spreadsheet counts them', () => {
  const { members, repeated, refused } = membersIn(sheet, { number: 1, email: 2 })
  expect(members.map(({ number, email }) => `${number} ${email}`)).toEqual([
    '0042 mia@example.org',
    'A-7 ',
    ' moe@example.org',
    '42 ',
  ])
  expect(repeated).toBe(1)
  expect(refused.map(({ row, why }) => `${row}: ${why()}`)).toEqual([
    '5: No number and no address',
    '6: Not an e-mail address',
  ])
})

test('files of several programs are read', async () => {
  const file = (content: BlobPart) => rowsOf(new File([content], 'members.csv'))
  expect(await file('Nr;Mail\r\n0042;mia@example.org\r\n')).toEqual([
    ['Nr', 'Mail'],
    ['0042', 'mia@example.org'],
  ])
  expect(await file('number,mail\n"A, 7",x@example.org')).toEqual([
    ['number', 'mail'],
    ['A, 7', 'x@example.org'],
  ])
  // Müller in the encoding of Western Windows.
  expect(await file(new Uint8Array([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72]))).toEqual([['Müller']])
  await expect(file(new Uint8Array([0x50, 0x4b, 3, 4, 1, 2, 3]))).rejects.toThrow(Unreadable)
})
