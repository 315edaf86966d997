/** The removal of one guard from a copy of the code. */
export interface Mutant {
  /** The guard that is removed. */
  name: string
  /** The source file, from the repository's root. */
  file: string
  /** Code that occurs exactly once in that file, and its replacement. */
  find: string
  replace: string
  /** The test files that must fail without the guard. */
  tests: string[]
}
