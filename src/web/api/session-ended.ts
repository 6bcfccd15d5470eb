import { ApiError } from './client.ts'
import { createFlag } from './flag.ts'

/** Whether the session of who uses this tab has ended. The pages stay as they are; a dialog asks to sign in again. */
const { is, subscribe, set } = createFlag()
/** Whether something that was to be done was refused for it. Pages also read by themselves: nobody misses that. */
const undone = createFlag()

export const sessionEnded = {
  is,
  subscribe,
  /** Notices that a request was refused for want of a session. */
  notice: (error: Error, wanted: 'read' | 'change' = 'read'): void => {
    if (!(error instanceof ApiError) || error.status !== 401 || error.code !== 'unauthorized') return
    if (wanted === 'change') undone.set(true)
    set(true)
  },
  /** Returns whether a change was refused since the session ended. */
  signedIn: (): boolean => {
    const wasUndone = undone.is()
    undone.set(false)
    set(false)
    return wasUndone
  },
}
