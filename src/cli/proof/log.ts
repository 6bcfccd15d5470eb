import { Command } from 'commander'
import { plural } from '../../lib/text/plural.ts'
import { keepLog } from '../../proof/keep-log.ts'
import { type OutputOptions, print } from '../output.ts'
import { withInstallation } from '../with-installation.ts'

export const logCommand = (): Command =>
  new Command('log').description('the publication log, which proves that nothing was rewritten').addCommand(
    new Command('append')
      .description('append what was published and sign it now; every check does')
      .option('--json', 'print JSON')
      .action((options: OutputOptions) =>
        withInstallation(async ({ sql, config, secretKey }) => {
          const report = await keepLog({ sql, names: config, secretKey })
          print(options, report, `${plural(report.leaves, 'leaf', 'leaves')} appended; the log has ${report.size}.`)
        }),
      ),
  )
