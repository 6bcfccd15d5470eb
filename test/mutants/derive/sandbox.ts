import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const INDEX = 'workflows/index.ts'

/** In a copy, gives the sandbox of workflows the switches of the thread that it is in. */
export function switchWorkflows(copy: string): void {
  const file = join(copy, INDEX)
  // The class is one of the thread, and so is what makes its functions.
  const ofThread = `AbortController.constructor('return globalThis')()`
  writeFileSync(file, `${readFileSync(file, 'utf8')}\nglobalThis.mutant ??= ${ofThread}.mutant\n`)
}
