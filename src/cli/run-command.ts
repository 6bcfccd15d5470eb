import { Command, CommanderError } from 'commander'
import { lookUp } from '../lib/collections.ts'
import { VERSION } from '../lib/process/version.ts'
import { errorMessage } from './error-message.ts'
import { GROUPS } from './groups.ts'
import { wrap } from './layout.ts'
import { terminalWidth } from './output.ts'

const VERSION_FLAGS = ['-V', '--version']

/** Runs the command that was typed, without `pricetape` in front. What is wrong with it is printed, and its status is set. */
export async function runCommand(args: string[]): Promise<void> {
  const program = new Command('pricetape')
    .description('Commands for operators, on the installation that runs on the data folder.')
    .version(VERSION, VERSION_FLAGS.join(', '))
    .addHelpText('after', '\n  start                  run the product: what `npm start` does in a checkout')
    .showHelpAfterError()
  try {
    const group = lookUp(GROUPS, args[0] ?? '')
    // The version needs no command.
    const all = VERSION_FLAGS.includes(args[0] ?? '') ? [] : Object.values(GROUPS)
    for (const load of group ? [group] : all) program.addCommand(await load())
    prepare(program)
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = error instanceof CommanderError ? error.exitCode : 1
    // Commander has printed its own.
    if (!(error instanceof CommanderError)) printError(errorMessage(error))
  }
}

/** Prints a failure, as wide as the terminal. */
export function printError(message: string): void {
  process.stderr.write(`${wrap(message, terminalWidth(process.stderr))}\n`)
}

/** Errors of usage are as wide as the terminal too, and end the command, not the process. Commands that were made apart do not inherit it. */
function prepare(command: Command): void {
  command.exitOverride()
  command.configureOutput({ outputError: (text, write) => write(wrap(text, terminalWidth(process.stderr))) })
  for (const sub of command.commands) prepare(sub)
}
