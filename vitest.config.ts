import { defineConfig } from 'vitest/config'

// In continuous integration the tests of each file run in random order; vitest prints the seed.
const { CI, PRICETAPE_TEST_SHUFFLE = CI ? 'true' : 'false' } = process.env

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks', // the Temporal SDK's native bridge does not survive worker threads
    maxWorkers: 2,
    // A test that passes alone in a second may take twenty on two cores with other work: the limits only end what hangs.
    testTimeout: 90_000,
    hookTimeout: 240_000,
    sequence: { shuffle: { files: false, tests: PRICETAPE_TEST_SHUFFLE === 'true' } },
  },
})
