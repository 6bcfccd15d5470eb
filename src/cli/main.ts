import { loadEnvFile } from './env-file.ts'
import { errorMessage } from './error-message.ts'
import { printError, runCommand } from './run-command.ts'

try {
  loadEnvFile()
  await runCommand(process.argv.slice(2))
} catch (error) {
  printError(errorMessage(error))
  process.exitCode = 1
}
