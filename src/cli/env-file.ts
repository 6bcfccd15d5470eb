import { existsSync } from 'node:fs'
import { OperatorError } from '../lib/errors.ts'

/** Reads settings from `.env` in the current folder, where there is one. What the shell sets counts more. */
export function loadEnvFile(path = '.env'): void {
  if (!existsSync(path)) return
  try {
    process.loadEnvFile(path)
  } catch (cause) {
    throw new OperatorError(`The file ${path} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}
