import { codeOf, sourceFiles } from '../support/code/source-files.ts'
import { reachesOut } from './pure-tests.ts'

/** Folders whose pure functions are mutated too, beside every file of rules. */
const PURE_FOLDER = /^src\/(?:lib|prices\/plan\/holds|events\/payloads|collectors\/(?:formats|reading))\//
const RULES = /(?:^|[/-])rules\.ts$/
/** What waits, asks a database or a clock, runs the code of others, or draws lots. */
const IMPURE =
  /\basync\b|\bawait\b|\bPromise\b|\bsql`|\bprocess\.|\brunInNewContext\b|\bDate\.now\b|\bnew Date\(\s*\)|\brandom(?:UUID|Bytes|Int)\b/

/** The room of a file, in whose line of the table it is counted: `src/prices/plan/holds/end-rules.ts` → `prices/plan`. */
export function mutantRoomOf(file: string): string {
  const [first, second, third] = file.split('/')
  if (first !== 'src') return first!
  return LARGE_ROOMS.has(second!) && !third!.endsWith('.ts') ? `${second}/${third}` : second!
}
/** Rooms that are counted by folder. */
const LARGE_ROOMS = new Set(['prices', 'terms'])

/** Returns the files whose mutants the tests must notice: every file of rules, and the pure functions of a few folders. */
export const mutatedFiles = (): string[] =>
  sourceFiles.filter((file) => RULES.test(file) || (PURE_FOLDER.test(file) && isPure(file))).sort()

function isPure(file: string): boolean {
  const code = codeOf(file)
  return (
    /\bfunction\b|=>/.test(code) &&
    !IMPURE.test(code) &&
    !/(?:^|[/-])(?:schema|store|sql)\.ts$/.test(file) &&
    !reachesOut(file)
  )
}
