import { type ComponentType, lazy } from 'react'
import { ConnectionError } from '../api/client.ts'
import { loadPart } from '../api/connection.ts'

const WAIT_MS = 3_000

/** A component that is loaded when it is shown first. Without a connection it comes when the connection is back. */
export const lazyPart = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() => untilLoaded(load))

async function untilLoaded<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await loadPart(load)
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
  }
}
