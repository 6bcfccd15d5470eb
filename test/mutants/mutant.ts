/** A small bug, put into one file by replacing one text, and the tests of which at least one must then fail. */
export type Mutant = {
  /** What is wrong then, as a sentence. */
  name: string
  file: string
  /** Stands in the file exactly once. */
  search: string
  replacement: string
  /** Test files, the likeliest first. */
  tests: string[]
  /** The file is bundled for workflows or read by another process: it has to be built again. */
  built?: true
  /** It passed all related tests when the project was reviewed. */
  survivedReview?: true
}

type Options = Pick<Mutant, 'survivedReview' | 'built'> & { tests?: string[] }

/** Returns a function that describes mutants of one file. */
export const mutantsOf =
  (file: string, tests: string[]) =>
  (name: string, search: string, replacement: string, options: Options = {}): Mutant => ({
    name,
    file,
    search,
    replacement,
    tests,
    ...options,
  })

export const SURVIVED_REVIEW = { survivedReview: true } as const
