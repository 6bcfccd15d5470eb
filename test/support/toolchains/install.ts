import { findProgram, run } from '../../../src/embedded/process/run-program.ts'
import { progressTo } from '../../../src/lib/process/progress.ts'

const INSTALL_TIMEOUT_MS = 15 * 60_000
/** Another apt may be at work on this machine: wait for it. */
const WAIT = ['-o', 'DPkg::Lock::Timeout=600']

/** Makes sure a program the tests need is there: where we may, it is installed with apt, saying so. */
export async function installed(program: string, packages: string[]): Promise<string> {
  const found = await findProgram(program)
  if (found) return found
  const byHand = `apt-get install -y ${packages.join(' ')}`
  if (process.getuid?.() !== 0 || !(await findProgram('apt-get'))) {
    throw new Error(`The tests need ${program}. Install it by hand: ${byHand}`)
  }
  progressTo(process.stderr).say(`The tests need ${program}: installing it (${byHand}).`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', [...WAIT, 'update', '-q'], { env, timeoutMs: INSTALL_TIMEOUT_MS })
  const { ok, output } = await run(
    'apt-get',
    [...WAIT, 'install', '-y', '-q', '--no-install-recommends', ...packages],
    {
      env,
      timeoutMs: INSTALL_TIMEOUT_MS,
    },
  )
  const now = await findProgram(program)
  if (!ok || !now) throw new Error(`${byHand} did not bring ${program}: ${output.slice(-400)}`)
  return now
}
