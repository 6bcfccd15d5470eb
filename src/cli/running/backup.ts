import { Command } from 'commander'
import { backUpDataFolder } from '../../embedded/backup/back-up-data-folder.ts'
import { dataFolder } from '../../embedded/data-folder.ts'
import { readConfig } from '../../lib/config.ts'
import { OperatorError } from '../../lib/errors.ts'
import { type OutputOptions, print } from '../output.ts'

export const backupCommand = (): Command =>
  new Command('backup')
    .description('copy the database of npm start into a new folder, also while it runs')
    .argument('<folder>', 'a new or an empty folder')
    .option('--json', 'print JSON')
    .action(async (target: string, options: OutputOptions) => {
      const { databaseUrl, dataDir } = readConfig(process.env)
      if (databaseUrl)
        throw new OperatorError('A database of your own is backed up with the tools of PostgreSQL: see docs/backup.md.')
      const made = await backUpDataFolder(dataFolder(dataDir), target)
      const size = `${Math.ceil(made.bytes / 1e6)} MB`
      const text = `${size} in ${made.folder}. To restore it, stop Pricetape, put a copy in the place of ${made.cluster}, and start again. Keep secrets.json of the data folder too, in another place.`
      print(options, made, text)
    })
