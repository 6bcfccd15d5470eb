/** `npm test`: lint, types and dead code beside the tests. Arguments are those of `vitest run`. */
import { spawn } from 'node:child_process'

const CHECKS = ['lint', 'types', 'unused']

type Ended = { name: string; code: number; output: string }

/** Runs a script of package.json. What it prints is kept until it has ended. */
function check(name: string): Promise<Ended> {
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  return new Promise((resolve) => child.once('close', (code) => resolve({ name, code: code ?? 1, output })))
}

const tests = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' })
const testsEnded = new Promise<number>((resolve) => tests.once('close', (code) => resolve(code ?? 1)))
const ended: Ended[] = []
// One after the other: the tests need the other processor.
for (const name of CHECKS) ended.push(await check(name))
const codes = [await testsEnded, ...ended.map(({ code }) => code)]
for (const { name, code, output } of ended)
  process.stdout.write(code === 0 ? `npm run ${name}: nothing found\n` : `\nnpm run ${name} failed:\n${output}\n`)
process.exitCode = codes.every((code) => code === 0) ? 0 : 1
