import { loadEnvFile } from './env-file.ts'
import { errorMessage } from './error-message.ts'
import { printError, runCommand } from './run-command.ts'

function fail(error: unknown): void {
  printError(errorMessage(error))
  process.exitCode = 1
}

process.on('uncaughtException', (error) => {
  fail(error)
  process.exit()
})

try {
  loadEnvFile()
  await runCommand(process.argv.slice(2))
} catch (error) {
  fail(error)
}
