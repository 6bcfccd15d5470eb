import { ApiError } from './client.ts'
import { createFlag } from './flag.ts'

/** Whether the session of who uses this tab has ended. The pages stay as they are; a dialog asks to sign in again. */
const { is, subscribe, set } = createFlag()

export const sessionEnded = {
  is,
  subscribe,
  /** Notices that a request was refused for want of a session. */
  notice: (error: Error): void => {
    if (error instanceof ApiError && error.status === 401 && error.code === 'unauthorized') set(true)
  },
  signedIn: (): void => set(false),
}
