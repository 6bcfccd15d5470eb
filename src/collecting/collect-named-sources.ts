import { SOURCE_TIMEOUT_MS } from '../collectors/fetch/fetch-source.ts'
import { OperatorError } from '../lib/errors.ts'
import { type Instant, instantOf } from '../lib/instant.ts'
import { collectSource } from './collect-source.ts'
import type { Collecting } from './collecting.ts'
import type { CollectLimits, CollectOutcome } from './schema.ts'

/** Collects one declared source now, due or not. @throws OperatorError when it is not declared or is off */
export async function collectNamedSource(
  collecting: Collecting,
  name: string,
  now: Instant,
  limits: Partial<CollectLimits> = {},
): Promise<CollectOutcome> {
  const { all, enabled } = await collecting.sources()
  const source = enabled.find((declared) => declared.source === name)
  if (!source) {
    const off = all.some((declared) => declared.source === name)
    const problem = off ? `The source ${name} is off in the sources file.` : `There is no source ${name}.`
    throw new OperatorError(`${problem} See: npx pricetape source list`)
  }
  return collectSource(await collecting.tools(), source, now, { timeoutMs: SOURCE_TIMEOUT_MS, ...limits })
}

/** Collects the named sources, or all that are enabled, now: for the command line. */
export async function collectNamedSources(collecting: Collecting, names: string[] = []): Promise<CollectOutcome[]> {
  const { enabled } = await collecting.sources()
  const outcomes: CollectOutcome[] = []
  for (const name of names.length > 0 ? names : enabled.map(({ source }) => source))
    outcomes.push(await collectNamedSource(collecting, name, instantOf(Date.now()), { byOperator: true }))
  return outcomes
}
