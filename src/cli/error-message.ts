import { AppError, OperatorError } from '../lib/errors.ts'

/** A failure for a person: one sentence where there is one, else everything there is. */
export function errorMessage(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  if (error instanceof AppError) return `${error.message} (${error.code})`
  if (error instanceof Error) return `An unexpected fault: ${error.stack ?? error.message}`
  return `An unexpected fault: ${String(error)}`
}
