import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/suite/longest-first.ts'
import { projects } from './test/support/suite/proofs.ts'

// In continuous integration the tests of each file run in random order; vitest prints the seed.
const {
  CI,
  PRICETAPE_TEST_SHUFFLE = CI ? 'true' : 'false',
  PRICETAPE_PROPERTY_SECONDS = '0',
  PRICETAPE_TESTS,
} = process.env

const ofProjects = {
  resolve: {
    alias: [{ find: /^@node-rs\/argon2$/, replacement: join(import.meta.dirname, 'test/support/cheap-argon2.ts') }],
  },
  // The builds of packages, and the runtime of JSX, that production has too.
  ssr: { resolve: { conditions: ['node'] } },
  oxc: { jsx: { development: false } },
}

const ofTests = {
  // A process loads the product once, for all files that it runs: no module keeps anything from one test to the next.
  isolate: false,
  // A tenth of the processor time of pages is collecting what they leave, with the small space that Node has for it.
  execArgv: ['--max-semi-space-size=64'],
  pool: 'forks' as const, // the Temporal SDK's native bridge does not survive worker threads
  maxWorkers: 4, // on two cores: many files wait most of their time, for deadlines and for servers that start
  // The slowest test takes 90 s on two cores at rest. The limits only end what hangs, also on a machine with a load of 25.
  // A search among random histories may take as long as it was told.
  testTimeout: 600_000 + Number(PRICETAPE_PROPERTY_SECONDS) * 1_000,
  hookTimeout: 600_000,
  // A second, the default, is little on a machine with a load of 15.
  expect: { poll: { timeout: 20_000 } },
  sequence: { shuffle: { files: false, tests: PRICETAPE_TEST_SHUFFLE === 'true' } },
}

export default defineConfig({
  ...ofProjects,
  test: {
    ...ofTests,
    // Not `extends`: each project would start the servers of the suite.
    projects: projects(PRICETAPE_TESTS).map((project) => ({ ...ofProjects, test: { ...ofTests, ...project } })),
    reporters: ['default', './test/support/suite/skipped-tests.ts', './test/support/suite/record-times.ts'],
    globalSetup: ['test/support/suite/global-setup.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'workflows/**', 'activities/**'],
      exclude: ['src/web/**', 'node_modules/**'], // the first runs in the browser, the second is what bundles name
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: '.cache/coverage',
      reportOnFailure: true,
    },
    sequence: { ...ofTests.sequence, sequencer: LongestFirst },
  },
})
