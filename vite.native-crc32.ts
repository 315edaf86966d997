import type { Plugin } from 'vite'

const PACKAGE = 'buffer-crc32'
const OURS = '\0native-crc32'

let isUsed = false

/** yazl's checksums by Node itself instead of by a loop in JavaScript, see decision 43. yazl calls only `unsigned`. */
export const nativeCrc32: Plugin = {
  name: 'native-crc32',
  enforce: 'pre',
  resolveId: (id, importer) => (id === PACKAGE && importer?.includes('/yazl/') ? OURS : null),
  load(id) {
    if (id !== OURS) return null
    isUsed = true
    return `export { crc32 as unsigned } from 'node:zlib'`
  },
  buildEnd(error) {
    if (!error && !isUsed) this.error(`yazl no longer takes its checksums from ${PACKAGE}`)
  },
}
