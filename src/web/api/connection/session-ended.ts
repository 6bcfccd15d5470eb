import { ACCOUNT_HEADER } from '../../../lib/http/account-header.ts'
import { ApiError } from './client.ts'
import { createFlag } from './flag.ts'

/** Whether the session of who uses this tab has ended. The pages stay as they are; a dialog asks to sign in again. */
const { is, subscribe, set } = createFlag()
/** Whether something that was to be done was refused for it. Pages also read by themselves: no one misses that. */
const undone = createFlag()
/** Whether it ends because they leave: what a page still reads is refused then, and no one has to sign in again. */
const leaving = createFlag()
/** Whether it is of another account by now, which has signed in in another tab. */
const replaced = createFlag()

export const sessionEnded = {
  is,
  isReplaced: replaced.is,
  subscribe,
  /** Notices that a request was refused for want of a session. */
  notice: (error: Error, wanted: 'read' | 'change' = 'read'): void => {
    if (leaving.is()) return
    if (!(error instanceof ApiError) || error.status !== 401 || error.code !== 'unauthorized') return
    if (wanted === 'change') undone.set(true)
    replaced.set(error.field === ACCOUNT_HEADER)
    set(true)
  },
  /** Ends the session with a request. Where that fails, they stay. */
  leave: async <Answer>(request: () => Promise<Answer>): Promise<Answer> => {
    leaving.set(true)
    try {
      return await request()
    } catch (error) {
      leaving.set(false)
      throw error
    }
  },
  /** Starts over for whoever comes next. Returns whether a change was refused since the session ended. */
  signedIn: (): boolean => {
    const wasUndone = undone.is()
    leaving.set(false)
    undone.set(false)
    replaced.set(false)
    set(false)
    return wasUndone
  },
}
