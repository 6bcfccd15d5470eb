import { defineConfig } from 'vitest/config'
import type { TestProject } from 'vitest/node'
import { KeptThread } from './kept-thread.ts'
import { pureTests } from './pure-tests.ts'

const keepThread = {
  name: 'keep-thread',
  // Stryker names the pool of threads on its command line, which wins over what this file says.
  configureVitest({ project }: { project: TestProject }) {
    const createPoolWorker = (options: ConstructorParameters<typeof KeptThread>[0]) => new KeptThread(options)
    Object.assign(project.config, { pool: 'kept-thread', poolRunner: { name: 'kept-thread', createPoolWorker } })
  },
}

export default defineConfig({
  plugins: [keepThread],
  test: { include: pureTests(), isolate: false, runner: 'test/mutants/kept-modules.ts', testTimeout: 60_000 },
})
