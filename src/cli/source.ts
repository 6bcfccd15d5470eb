import { Command } from 'commander'
import { freshnessOf } from '../catalog/source-rules.ts'
import { collectNamedSources } from '../collecting/collect-named-sources.ts'
import { type ListedSource, listSources } from '../collecting/list-sources.ts'
import { instantOf } from '../lib/instant.ts'
import { type OutputOptions, print, table } from './output.ts'
import { withCollecting } from './with-collecting.ts'
import { withInstallation } from './with-installation.ts'

export function sourceCommand(): Command {
  const source = new Command('source').description('where prices and documents are read from')
  source
    .command('list')
    .description('every declared source, its state and its problem')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async (context) => {
        const sources = await withCollecting(context, listSources)
        const now = instantOf(Date.now())
        const rows = sources.map(({ source, format, enabled, witness, state }) => [
          source,
          format,
          enabled === false ? 'off' : `${freshnessOf(state, now)}${witness ? ', witness' : ''}`,
          state?.lastCheckedAt ?? 'never',
          state?.problem && enabled !== false ? state.nextDueAt : '',
          state?.problem ?? '',
        ])
        const head = ['SOURCE', 'FORMAT', 'STATE', 'LAST CHECKED', 'NEXT TRY', 'PROBLEM']
        const leftOut = sources.flatMap(ignoredText)
        print(options, { sources }, [table(head, rows), ...(leftOut.length > 0 ? ['', ...leftOut] : [])].join('\n'))
      }),
    )
  source
    .command('collect')
    .description('collect sources now, due or not; the next check sends what changed')
    .argument('[sources...]', 'which; all that are on when left out')
    .option('--json', 'print JSON')
    .action((names: string[], options: OutputOptions) =>
      withInstallation(async (context) => {
        const collected = await withCollecting(context, (collecting) => collectNamedSources(collecting, names))
        const rows = collected.map(({ source, outcome, published = 0, held = 0, problem = '' }) => [
          source,
          outcome,
          String(published),
          String(held),
          problem,
        ])
        print(options, { collected }, table(['SOURCE', 'OUTCOME', 'PUBLISHED', 'HELD', 'PROBLEM'], rows))
        if (collected.some(({ outcome }) => outcome === 'failed' || outcome === 'quarantined')) process.exitCode = 1
      }),
    )
  return source
}

/** Reasons that are named for each source. */
const REASONS_NAMED = 5

/** What a parser left out of the newest answer of a source, as lines of text. */
function ignoredText({ source, ignored }: ListedSource): string[] {
  if (ignored.length === 0) return []
  const named = ignored.slice(0, REASONS_NAMED).map(({ reason, count }) => `  ${count} × ${reason}`)
  const more =
    ignored.length > REASONS_NAMED ? [`  and ${ignored.length - REASONS_NAMED} other reasons: see --json`] : []
  return [`Left out of ${source}:`, ...named, ...more]
}
