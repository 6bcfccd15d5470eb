import { Command } from 'commander'
import { collectNamedSources } from '../collecting/collect-named-sources.ts'
import { listSources } from '../collecting/list-sources.ts'
import { instantOf } from '../lib/instant.ts'
import { collectedLines } from './collected-text.ts'
import { type OutputOptions, print } from './output.ts'
import { sourcesText } from './source-text.ts'
import { withCollecting } from './with-collecting.ts'
import { withInstallation } from './with-installation.ts'

export function sourceCommand(): Command {
  const source = new Command('source').description('where prices and documents are read from')
  source
    .command('list')
    .description('every declared source with its state, and what does not work')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async (context) => {
        const sources = await withCollecting(context, listSources)
        print(options, { sources }, sourcesText(sources, instantOf(Date.now())))
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
  return source
}
