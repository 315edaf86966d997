import { expect, test } from 'vitest'
import { guessColumns, membersIn, type Rows, rowsOf, Unreadable } from './read-list.ts'

const sheet: Rows = [
  ['Name', 'Mitgliedsnummer', 'E-Mail'],
  ['Mia', '0042', 'mia@example.org'],
  ['Max', 'A-7', ''],
  ['Moe', '', 'moe@example.org'],
  ['Nobody', '', ''],
  ['', '', ''],
  ['Typo', '9', 'at example'],
  ['Only typo', '', 'at example'],
  ['Mia again', '42', ''],
]

test('the columns are found by their names and by what is in them', () => {
  expect(guessColumns(sheet)).toEqual({ number: 1, email: 2 })
  expect(guessColumns(sheet.slice(1))).toEqual({ number: 1, email: 2 })
  expect(guessColumns([['mia@example.org'], ['moe@example.org']])).toEqual({ number: null, email: 0 })
  expect(guessColumns([['17'], ['18'], ['19']])).toEqual({ number: 0, email: null })
  expect(guessColumns([['Mia'], ['Moe']])).toEqual({ number: null, email: null })
  const heads = ['Telefonnummer', 'Hausnummer', 'Mitglied seit', 'Mitgliedsnummer']
  expect(guessColumns([heads, ['030 12', '7', '2019', '17'], ['030 13', '8', '2020', '18']]).number).toBe(3)
})

test('rows that are no members are named with the reason, as a spreadsheet counts them', () => {
  const { members, repeated, refused } = membersIn(sheet, { number: 1, email: 2 })
  expect(members.map(({ number, email }) => `${number} ${email}`)).toEqual([
    '0042 mia@example.org',
    'A-7 ',
    ' moe@example.org',
    '9 ',
    '42 ',
  ])
  expect(repeated).toBe(1)
  expect(refused.map(({ row, why }) => `${row}: ${why()}`)).toEqual([
    '5: No number and no e-mail address',
    '7: Not an e-mail address: only the number counts',
    '8: Not an e-mail address',
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
  const utf16 = new Uint8Array([0xff, 0xfe, ...Buffer.from('Nr\tMail\n7\tx@example.org', 'utf16le')])
  expect(await file(utf16)).toEqual([
    ['Nr', 'Mail'],
    ['7', 'x@example.org'],
  ])
  await expect(file(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1]))).rejects.toThrow(Unreadable)
  await expect(file(new Uint8Array([0x50, 0x4b, 3, 4, 1, 2, 3]))).rejects.toThrow(Unreadable)
})

test('a spreadsheet is read, and a date in it is no number', async () => {
  const { writeXlsx } = await import('hucre/xlsx')
  const rows = [
    ['Number', 'Mail'],
    [17, 'x@example.org'],
    [new Date('2026-12-24T00:00:00Z'), ''],
  ]
  const bytes = await writeXlsx({ sheets: [{ name: 'Members', rows }] })
  const read = await rowsOf(new File([new Uint8Array(bytes)], 'members.xlsx'))
  const { members, refused } = membersIn(read, guessColumns(read))
  expect(members).toEqual([{ number: '17', email: 'x@example.org' }])
  expect(refused.map(({ row, why }) => `${row}: ${why()}`)).toEqual(['3: A date instead of a number'])
})
