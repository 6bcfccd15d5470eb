import { Command } from 'commander'
import { forgetAnchors, readClocks, saveAnchor } from '../catalog/clock-anchor-store.ts'
import { clockMessage, mayStamp } from '../catalog/clock-rules.ts'
import { OperatorError } from '../lib/errors.ts'
import { type OutputOptions, print } from './output.ts'
import { withInstallation } from './with-installation.ts'

export const clockCommand = (): Command =>
  new Command('clock').description('the clock that publications are stamped with').addCommand(
    new Command('accept')
      .description('trust the clocks as they are now, after a jump that was right')
      .option('--json', 'print JSON')
      .action((options: OutputOptions) =>
        withInstallation(async ({ sql }) => {
          await forgetAnchors(sql)
          const { reading, verdict } = await readClocks(sql)
          if (!mayStamp(verdict)) throw new OperatorError(`This cannot be accepted: ${clockMessage(verdict)}`)
          await saveAnchor(sql, reading)
          print(
            options,
            { now: reading.database },
            `Publishing goes on. The database’s clock reads ${reading.database}.`,
          )
        }),
      ),
  )
