/** `npm run check`: lint, types and dead code; where `CI` is set, the mutants of changed rules too. */
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

for (const { name, code, output } of await Promise.all(CHECKS.map(check))) {
  // What the mutants passed says which rules were tried, and which there was no time for.
  const found = code === 0 && name === 'mutants' ? `\n${output}` : 'nothing found\n'
  process.stdout.write(code === 0 ? `npm run ${name}: ${found}` : `\nnpm run ${name} failed:\n${output}\n`)
  if (code !== 0) process.exitCode = 1
}
