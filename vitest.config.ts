import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks', // the Temporal SDK's native bridge does not survive worker threads
    maxWorkers: 2,
    // A test that passes alone in a second may take twenty on two cores with other work: the limits only end what hangs.
    testTimeout: 90_000,
    hookTimeout: 240_000,
    // PRICETAPE_TEST_SHUFFLE=true runs the tests of each file in random order.
    sequence: { shuffle: { files: false, tests: process.env.PRICETAPE_TEST_SHUFFLE === 'true' } },
  },
})
