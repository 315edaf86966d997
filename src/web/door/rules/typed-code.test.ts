import { expect, test } from 'vitest'
import { codeAtEnd } from './typed-code.ts'

const secret = '9f3a1c7b-1111-4111-8111-111111111111'
const url = `https://turnout.example/qr/42/${secret}`

test.each([
  [url, '', url],
  [`ann${url}`, 'ann', url],
  [`${url}?type=voucher`, '', `${url}?type=voucher`],
  [`ann {"id":42,"qrUuid":"${secret}"}`, 'ann', `{"id":42,"qrUuid":"${secret}"}`],
  ['42-9F3A1C7B', '', '42-9F3A1C7B'],
  ['V42-9F3A1C7B', '', 'V42-9F3A1C7B'],
  ['ann 42-9F3A1C7B', 'ann', '42-9F3A1C7B'],
  // A "v" at the end of a name must not turn a ticket's code into a voucher's.
  ['olav42-9F3A1C7B', 'olav', '42-9F3A1C7B'],
  ['ann v42-9F3A1C7B', 'ann', 'v42-9F3A1C7B'],
])('%s ends with a code', (text, before, code) => {
  expect(codeAtEnd(text)).toEqual({ before, code })
})

test.each(['', 'ann', '42', 'https://example.org/menu', `${url} ann`])('%s does not', (text) => {
  expect(codeAtEnd(text)).toBeNull()
})
