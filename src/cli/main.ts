import { Command } from 'commander'
import { aliasCommand } from './alias.ts'
import { checkCommand } from './check.ts'
import { deliveryCommand } from './delivery.ts'
import { doctorCommand } from './doctor.ts'
import { sentenceOf } from './error-message.ts'
import { keyCommand } from './key.ts'
import { priceCommand } from './price.ts'
import { receiverCommand } from './receiver-command.ts'
import { reviewCommand } from './review.ts'
import { secretsCommand } from './secrets.ts'
import { sourceCommand } from './source.ts'
import { webhookCommand } from './webhook.ts'

const program = new Command('pricetape')
  .description('Commands for operators, on the installation that runs on the data folder.')
  .showHelpAfterError()
for (const command of [
  checkCommand(),
  keyCommand(),
  webhookCommand(),
  deliveryCommand(),
  receiverCommand(),
  sourceCommand(),
  aliasCommand(),
  reviewCommand(),
  priceCommand(),
  secretsCommand(),
  doctorCommand(),
]) {
  program.addCommand(command)
}

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`)
  process.exitCode = 1
}
