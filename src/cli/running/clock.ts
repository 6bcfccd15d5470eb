import { Command } from 'commander'
import { acceptClock } from '../../catalog/clock/accept-clock.ts'
import { type OutputOptions, print } from '../output.ts'
import { withInstallation } from '../with-installation.ts'

export const clockCommand = (): Command =>
  new Command('clock').description('the clock that publications are stamped with').addCommand(
    new Command('accept')
      .description('trust the clocks as they are now, after a jump that was right')
      .option('--json', 'print JSON')
      .action((options: OutputOptions) =>
        withInstallation(async ({ sql }) => {
          const now = await acceptClock(sql)
          print(options, { now }, `Publishing continues. The database’s clock reads ${now}.`)
        }),
      ),
  )
