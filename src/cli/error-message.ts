import { AppError, OperatorError } from '../lib/errors.ts'

/** What a person is told of a failure: a sentence where there is one, else everything there is. */
export function sentenceOf(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  if (error instanceof AppError) return `${error.message} (${error.code})`
  if (error instanceof Error) return `An unexpected fault: ${error.stack ?? error.message}`
  return `An unexpected fault: ${String(error)}`
}
