/**
 * `npm test`: lint, types and dead code beside the tests that are not proofs (`test/support/suite/proofs.ts`); where `CI` is set, the mutants of changed rules too. Arguments are
 * those of `vitest run`.
 */
import { spawn } from 'node:child_process'

const CHECKS = [['lint'], ['types'], ['unused'], ...(process.env.CI ? [['mutants', '--', '--changed']] : [])]

type CheckResult = { name: string; code: number; output: string }

/** Runs a script of package.json. What it prints is kept until it has ended. */
function check([name = '', ...args]: string[]): Promise<CheckResult> {
  const child = spawn('npm', ['run', '--silent', name, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  return new Promise((resolve) => child.once('close', (code) => resolve({ name, code: code ?? 1, output })))
}

const tests = spawn('vitest', ['run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, PRICETAPE_TESTS: 'suite' },
})
const testsEnded = new Promise<number>((resolve) => tests.once('close', (code) => resolve(code ?? 1)))
const ended: CheckResult[] = []
// One after the other: the tests need the other processor.
for (const script of CHECKS) ended.push(await check(script))
const codes = [await testsEnded, ...ended.map(({ code }) => code)]
for (const { name, code, output } of ended) {
  // What the mutants passed says which rules were tried, and which there was no time for.
  const found = code === 0 && name === 'mutants' ? `\n${output}` : 'nothing found\n'
  process.stdout.write(code === 0 ? `npm run ${name}: ${found}` : `\nnpm run ${name} failed:\n${output}\n`)
}
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
