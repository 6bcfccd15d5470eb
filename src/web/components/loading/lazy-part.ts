import { type ComponentType, lazy } from 'react'
import { ConnectionError } from '../../api/connection/client.ts'
import { loadPart } from '../../api/connection/connection.ts'
import { missingPart } from '../../api/connection/missing-part.ts'

const WAIT_MS = 3_000

/**
 * A component that is loaded when it is shown first. Without a connection it comes when the connection is back. One that
 * is gone is left out, and a notice says so: the page around it, and what was typed there, stays.
 */
export const lazyPart = <Props extends object>(load: () => Promise<PartModule<Props>>) => lazy(() => untilLoaded(load))

type PartModule<Props> = { default: ComponentType<Props> }

async function untilLoaded<Props>(load: () => Promise<PartModule<Props>>): Promise<PartModule<Props>> {
  for (;;) {
    try {
      return await loadPart(load)
    } catch (error) {
      if (!(error instanceof ConnectionError)) return leftOut(error)
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
  }
}

function leftOut<Props>(error: unknown): PartModule<Props> {
  console.warn(error)
  missingPart.notice()
  return { default: () => null }
}
