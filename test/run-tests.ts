/**
 * `npm test` runs the suite, `npm run proofs` the tests of `test/support/suite/proofs.ts`, each in its whole length; with
 * `PRICETAPE_PROOFS=short` only as much of each as fits beside the suite. Further arguments are those of `vitest run`.
 */
import { spawn } from 'node:child_process'

const WHOLE = { PRICETAPE_TEST_REPLAY: 'whole', PRICETAPE_TEST_HOSTILE: 'whole', PRICETAPE_TEST_SEARCH: 'whole' }

const [part, ...args] = process.argv.slice(2)
const isWhole = part === 'proofs' && process.env.PRICETAPE_PROOFS !== 'short'
const tests = spawn('vitest', ['run', ...args], {
  stdio: 'inherit',
  env: { ...process.env, PRICETAPE_TESTS: part, ...(isWhole && WHOLE) },
})
tests.once('close', (code) => {
  process.exitCode = code ?? 1
})
