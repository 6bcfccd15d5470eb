/**
 * `npm run proofs`: the tests of `test/support/suite/proofs.ts`, each in its whole length; with `PRICETAPE_PROOFS=short` only as much
 * of each as fits beside the suite. Arguments are those of `vitest run`.
 */
import { spawn } from 'node:child_process'

const WHOLE = { PRICETAPE_TEST_REPLAY: 'whole', PRICETAPE_TEST_HOSTILE: 'whole', PRICETAPE_TEST_SEARCH: 'whole' }

const proofs = spawn('vitest', ['run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, PRICETAPE_TESTS: 'proofs', ...(process.env.PRICETAPE_PROOFS !== 'short' && WHOLE) },
})
proofs.once('close', (code) => {
  process.exitCode = code ?? 1
})
