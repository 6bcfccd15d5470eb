import { Command } from 'commander'
import { collectNamedSources } from '../../collecting/collect-named-sources.ts'
import { endNamedSource } from '../../collecting/end-sources.ts'
import { listSources, listUndeclared } from '../../collecting/list-sources.ts'
import { instantOf } from '../../lib/instant.ts'
import { plural } from '../../lib/text/plural.ts'
import { type OutputOptions, print } from '../output.ts'
import { withInstallation } from '../with-installation.ts'
import { collectedLines } from './collected-text.ts'
import { sourcesText } from './source-text.ts'
import { withCollecting } from './with-collecting.ts'

export function sourceCommand(): Command {
  const source = new Command('source').description('where prices and documents are read from')
  source
    .command('list')
    .description('every declared source with its state, and what does not work')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async (context) => {
        const sources = await withCollecting(context, listSources)
        const undeclared = await listUndeclared(context.sql)
        print(options, { sources, undeclared }, sourcesText(sources, undeclared, instantOf(Date.now())))
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
        print(options, { collected }, collectedLines(collected).join('\n'))
        if (collected.some(({ outcome }) => outcome === 'failed' || outcome === 'quarantined')) process.exitCode = 1
      }),
    )
  source
    .command('end')
    .description('end a source that is no longer declared, with its prices, now instead of after 7 days')
    .argument('<source>', 'which')
    .option('--json', 'print JSON')
    .action((name: string, options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const removed = await endNamedSource(sql, name, instantOf(Date.now()))
        print(options, { ended: name, removed }, `${name} ended: ${plural(removed, 'resource')} removed.`)
      }),
    )
  return source
}
