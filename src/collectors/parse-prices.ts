import type { SourceDeclaration } from '../catalog/schema.ts'
import { LimitExceededError, TaskFailedError } from '../lib/isolation/errors.ts'
import type { Isolation } from '../lib/isolation/isolation.ts'
import { defineTask } from '../lib/isolation/task.ts'
import { oneLine } from '../lib/text.ts'
import type { ParserResult } from './collector.ts'
import type { ParseInput } from './parse-prices.task.ts'
import { limitsFor } from './reading-limits.ts'

const task = defineTask<typeof import('./parse-prices.task.ts').parsePrices>(
  import.meta.url,
  './parse-prices.task',
  'parsePrices',
)

/** Long enough for what a curated file needs fixed. */
const MAX_PROBLEM_LENGTH = 1_000

/** The prices of a snapshot, or one sentence saying why there are none; `fault` is set when the fault is ours. */
export type ParsedSnapshot =
  | { kind: 'read'; prices: ParserResult }
  | { kind: 'unreadable'; problem: string; fault?: TaskFailedError }

/** Reads the prices of a snapshot in a process of its own, within limits that grow with its size. */
export async function parsePrices(
  isolation: Isolation,
  input: ParseInput,
  signal?: AbortSignal,
): Promise<ParsedSnapshot> {
  const source = declaredFor(input.source)
  try {
    const read = await isolation.run(task, { ...input, source }, { ...limitsFor(input.bytes.length), signal })
    return 'problem' in read ? unreadable(read.problem) : { kind: 'read', prices: read }
  } catch (error) {
    if (error instanceof LimitExceededError) return unreadable(`The answer was not read: ${error.message}.`)
    if (!(error instanceof TaskFailedError)) throw error
    return { ...unreadable(`The answer was not read, by a fault of Pricetape: ${error.message}.`), fault: error }
  }
}

/** Returns what a parser knows of a declaration. */
export function declaredFor(declaration: SourceDeclaration): SourceDeclaration {
  const { source, format, options, intervalSeconds, primary, witness, knownErrors, modelNames } = declaration
  return { source, format, options, intervalSeconds, primary, witness, knownErrors, modelNames }
}

export const unreadable = (problem: string) => ({
  kind: 'unreadable' as const,
  problem: oneLine(problem, MAX_PROBLEM_LENGTH),
})
