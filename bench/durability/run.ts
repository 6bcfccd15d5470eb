/**
 * Backs an installation up while it works, loses its database, and restores it: see README.md.
 * usage: PG_PROGRAMS=/usr/lib/postgresql/18/bin node --import tsx bench/durability/run.ts [rows, 100000 by default] [trial…]
 */
import { stat } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { ROOT, run, say } from '../../ops/run.ts'
import { requirePrograms } from './methods.ts'
import { runTrial, type Trial } from './trial.ts'

const TRIALS: Record<string, Omit<Trial, 'rows'>> = {
  dump: { method: 'dump', temporal: 'kept' },
  archive: { method: 'archive', temporal: 'kept' },
  instant: { method: 'archive', temporal: 'empty', toInstant: true },
  stream: { method: 'stream', temporal: 'kept' },
}

await requirePrograms()
const [rows = '100000', ...names] = process.argv.slice(2)
const code = join(ROOT, '.cache/durability')
if (!(await stat(join(code, 'workflow-bundle.js')).catch(() => undefined)))
  await run('npm', ['run', 'build', '--', code])
const problems: string[] = []
for (const name of names.length > 0 ? names : Object.keys(TRIALS)) {
  const found = await runTrial({ ...TRIALS[name]!, rows: Number(rows) }, code)
  say(`${name}, load ${loadavg()[0]?.toFixed(1)}\n${JSON.stringify(found, undefined, 1)}`)
  const { deliveries, workflows } = found
  if (deliveries.succeeded < deliveries.ofKnown || deliveries.neverReceived > 0) problems.push(`${name}: not delivered`)
  if (Object.keys(workflows.ended).some((status) => status !== 'gone')) problems.push(`${name}: a workflow goes on`)
}
for (const problem of problems) say(`WRONG: ${problem}`)
process.exit(problems.length === 0 ? 0 : 1)
