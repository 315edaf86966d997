/** One guard that is taken out of a copy of the code. */
export interface Mutant {
  /** What is taken out. */
  name: string
  /** The source file, from the repository's root. */
  file: string
  /** Code that stands exactly once in that file, and what replaces it. */
  find: string
  replace: string
  /** The test files that must fail without it. */
  tests: string[]
}
