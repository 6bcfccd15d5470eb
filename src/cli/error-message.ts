import { AppError, OperatorError } from '../lib/errors.ts'
import { showsStacks } from '../lib/log.ts'

/** The driver's codes of a connection that closed, and PostgreSQL's of a server that stops. */
const CLOSED = /^(CONNECTION_|57P0)/

/** Whether the database went away in the middle of the work: when it is back, the same work can be done. */
export const connectionWasLost = (error: unknown): boolean =>
  CLOSED.test((error as { code?: string } | undefined)?.code ?? '')

/** A failure for a person: one sentence where there is one. Where in the code it was is for who asks for it. */
export function errorMessage(error: unknown, withStack = showsStacks(process.env)): string {
  if (error instanceof OperatorError) return error.message
  if (error instanceof AppError) return `${error.message} (${error.code})`
  if (connectionWasLost(error))
    return 'The database closed the connection before the work was done. Try again when it runs.'
  if (!(error instanceof Error)) return `Unexpected error: ${String(error)}`
  if (withStack) return `Unexpected error: ${error.stack ?? error.message}`
  return `Unexpected error: ${error.message}. With LOG_LEVEL=debug it says where in the code.`
}
