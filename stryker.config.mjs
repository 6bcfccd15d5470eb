/** Mutation testing, run by `npm run mutants`: see "Mutants" in CONTRIBUTING.md. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './test/mutants/wording.mjs'],
  ignorers: ['wording'],
  vitest: { configFile: 'test/mutants/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  // The tests are sparing with time, and the second processor belongs to the suite.
  concurrency: 1,
  // Most mutants without an end are found by counting. The time is for machines under load.
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 20,
  reporters: ['clear-text', 'json'],
  clearTextReporter: { reportTests: false, logTests: false },
  jsonReporter: { fileName: '.cache/mutants/report.json' },
  tempDirName: '.cache/mutants/sandbox',
  ignorePatterns: ['/dist', '/.data', '/.cache', '/test/histories'],
  // Nothing checks types during the tests, and TypeScript 7 has no interface that Stryker could rewrite tsconfig.json with.
  disableTypeChecks: false,
  tsconfigFile: 'none',
  // A room whose rules no test reaches has a score of 0. That is a result.
  allowEmpty: true,
  allowConsoleColors: false,
  warnings: { slow: false },
  logLevel: 'warn',
}
