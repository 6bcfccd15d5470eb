import { BaseSequencer, type TestSpecification } from 'vitest/node'
import times from './times.json' with { type: 'json' }

const SECONDS: Record<string, number> = times
/** What a file takes that was not measured. */
const UNKNOWN_SECONDS = 10

/** These files have processes of their own, which start once if they come after all others. */
const LAST = 'test/screens/'

/** Returns how long a test file takes, by its path in the repository; less than nothing for those that come last. */
export const secondsOf = (file: string): number => (file.startsWith(LAST) ? -1 : (SECONDS[file] ?? UNKNOWN_SECONDS))

/** Starts the longest files first, so that none of them is left alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification) => secondsOf(moduleId.slice(moduleId.lastIndexOf('/test/') + 1))
    return [...files].sort((a, b) => seconds(b) - seconds(a))
  }
}
