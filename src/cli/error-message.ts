import { AppError, OperatorError } from '../lib/errors.ts'

/** The driver's codes of a connection that closed, and PostgreSQL's of a server that stops. */
const CLOSED = /^(CONNECTION_|57P0)/

/** A failure for a person: one sentence where there is one, else everything there is. */
export function errorMessage(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  if (error instanceof AppError) return `${error.message} (${error.code})`
  if (CLOSED.test((error as { code?: string } | undefined)?.code ?? ''))
    return 'The database closed the connection before the work was done. Try again when it runs.'
  if (error instanceof Error) return `An unexpected fault: ${error.stack ?? error.message}`
  return `An unexpected fault: ${String(error)}`
}
