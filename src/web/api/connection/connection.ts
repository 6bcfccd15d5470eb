import { ConnectionError } from './client.ts'
import { createFlag } from './flag.ts'

const { is, subscribe, set } = createFlag()

/** Whether the service cannot be reached. Pages keep what they show and what was typed; a notice says so. */
export const connection = {
  isLost: is,
  subscribe,
  /** Notices that a request got no answer. */
  notice: (error: Error): void => {
    if (error instanceof ConnectionError) set(true)
  },
  works: (): void => set(false),
}

/** The browser knows at once when the network is gone. That it is back says nothing yet of the service. */
export const watchNetwork = (): void => window.addEventListener('offline', () => set(true))

/** A part of the app that is loaded when it is needed. @throws ConnectionError when the service cannot be reached */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (error) {
    // A part may also be gone because a newer version of the app is installed: then the page is loaded again.
    await fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' }).catch((cause: unknown) => {
      set(true)
      throw new ConnectionError({ cause })
    })
    throw error
  }
}
