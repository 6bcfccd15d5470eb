import { Command } from 'commander'
import { VERSION } from '../lib/version.ts'
import { loadEnvFile } from './env-file.ts'
import { errorMessage } from './error-message.ts'
import { GROUPS } from './groups.ts'
import { wrap } from './layout.ts'
import { terminalWidth } from './output.ts'

const program = new Command('pricetape')
  .description('Commands for operators, on the installation that runs on the data folder.')
  .version(VERSION)
  .addHelpText('after', '\n  start                  run the product: what `npm start` does in a checkout')
  .showHelpAfterError()

try {
  loadEnvFile()
  const group = GROUPS[process.argv[2] ?? '']
  const wanted = group ? [group] : Object.values(GROUPS)
  for (const load of wanted) program.addCommand(await load())
  wrapErrors(program)
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${wrap(errorMessage(error), terminalWidth(process.stderr))}\n`)
  process.exitCode = 1
}

/** Errors of usage are as wide as the terminal too. Commands that were made apart do not inherit it. */
function wrapErrors(command: Command): void {
  command.configureOutput({ outputError: (text, write) => write(wrap(text, terminalWidth(process.stderr))) })
  for (const sub of command.commands) wrapErrors(sub)
}
