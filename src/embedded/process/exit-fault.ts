import { OperatorError, PermanentError } from '../../lib/errors.ts'
import type { Exit } from './child.ts'
import { exitText } from './exit-text.ts'

/** A process was killed, for want of memory for example, or lost what it needs for a while: another start can go well. */
export class BrokenOff extends Error {}

/** Returns why a process ended, as a fault that says whether another start can help, and of what an operator has to act on. */
export function faultOf(exit: Exit, name: string): Error {
  const { refusal, signal } = exit
  if (refusal?.kind === 'permanent') return new PermanentError(`${name} does not run: ${refusal.message}`)
  if (refusal?.kind === 'fault') return new OperatorError(`${name} does not run: ${refusal.message}`)
  return signal === undefined && refusal === undefined ? new Error(exitText(exit)) : new BrokenOff(exitText(exit))
}
