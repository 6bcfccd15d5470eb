import { Command } from 'commander'
import { collectNow, createCollecting } from '../../activities/collect.ts'
import { freshnessOf } from '../catalog/source-rules.ts'
import { instantOf } from '../lib/instant.ts'
import { createSafeFetch } from '../lib/safe-fetch/safe-fetch.ts'
import { type OutputOptions, print, table } from './output.ts'
import { onRunning, type Reached } from './with-installation.ts'

export function sourceCommand(): Command {
  const source = new Command('source').description('places prices and documents are read from')
  source
    .command('list')
    .description('every declared source and how it fares')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      onRunning(async (reached) => {
        const sources = await withCollecting(reached, (collecting) => collecting.list())
        const now = instantOf(Date.now())
        const rows = sources.map(({ source, format, enabled, state }) => [
          source,
          format,
          enabled === false ? 'off' : freshnessOf(state, now),
          state?.lastCheckedAt ?? 'never',
          state?.problem ?? '',
        ])
        print(options, { sources }, table(['SOURCE', 'FORMAT', 'STATE', 'LAST CHECKED', 'PROBLEM'], rows))
      }),
    )
  source
    .command('collect')
    .description('collect sources now, due or not; what changes is sent by the next check')
    .argument('[sources...]', 'which; all that are on when left out')
    .option('--json', 'print JSON')
    .action((names: string[], options: OutputOptions) =>
      onRunning(async (reached) => {
        const collected = await withCollecting(reached, (collecting) => collectNow(collecting, names))
        const rows = collected.map((one) => [
          one.source,
          one.outcome,
          String(one.published ?? 0),
          String(one.held ?? 0),
          one.problem ?? '',
        ])
        print(options, { collected }, table(['SOURCE', 'OUTCOME', 'PUBLISHED', 'HELD', 'PROBLEM'], rows))
        if (collected.some((one) => one.outcome === 'failed' || one.outcome === 'quarantined')) process.exitCode = 1
      }),
    )
  return source
}

async function withCollecting<T>(
  reached: Reached,
  work: (collecting: ReturnType<typeof createCollecting>) => Promise<T>,
): Promise<T> {
  const { allowPrivateEndpoints: allowPrivate, dnsServers } = reached.config
  const { get, close } = createSafeFetch({ allowPrivate, dnsServers })
  try {
    return await work(createCollecting(reached, get))
  } finally {
    await close()
  }
}
