import { Command } from 'commander'
import { VERSION } from '../lib/version.ts'
import { loadEnvFile } from './env-file.ts'
import { errorMessage } from './error-message.ts'
import { wrap } from './layout.ts'
import { terminalWidth } from './output.ts'

/** Each group of commands is loaded when it is used: it keeps a command from loading all of the product. */
const GROUPS: Record<string, () => Promise<Command>> = {
  check: async () => (await import('./check.ts')).checkCommand(),
  key: async () => (await import('./key.ts')).keyCommand(),
  account: async () => (await import('./account.ts')).accountCommand(),
  workspace: async () => (await import('./workspace.ts')).workspaceCommand(),
  webhook: async () => (await import('./webhook.ts')).webhookCommand(),
  delivery: async () => (await import('./delivery.ts')).deliveryCommand(),
  receiver: async () => (await import('./receiver-command.ts')).receiverCommand(),
  source: async () => (await import('./source.ts')).sourceCommand(),
  alias: async () => (await import('./alias.ts')).aliasCommand(),
  review: async () => (await import('./review.ts')).reviewCommand(),
  terms: async () => (await import('./terms.ts')).termsCommand(),
  price: async () => (await import('./price.ts')).priceCommand(),
  secrets: async () => (await import('./secrets.ts')).secretsCommand(),
  restored: async () => (await import('./restored.ts')).restoredCommand(),
  clock: async () => (await import('./clock.ts')).clockCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
}

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
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${wrap(errorMessage(error), terminalWidth(process.stderr))}\n`)
  process.exitCode = 1
}
