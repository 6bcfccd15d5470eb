import { ApiError } from './client.ts'

/** Whether the session of who uses this tab has ended. The pages stay as they are; a dialog asks to sign in again. */
let ended = false
const listeners = new Set<() => void>()

function set(value: boolean): void {
  if (ended === value) return
  ended = value
  for (const listener of listeners) listener()
}

export const sessionEnded = {
  is: (): boolean => ended,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** Notices that a request was refused for want of a session. */
  notice: (error: Error): void => {
    if (error instanceof ApiError && error.status === 401 && error.code === 'unauthorized') set(true)
  },
  signedIn: (): void => set(false),
}
