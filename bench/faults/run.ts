/**
 * Breaks an installation for a while and compares the receiver's record with our log (README.md). As root on Linux it runs
 * in network and mount namespaces of its own, and also drops the route, fills the disk and steps the clock.
 * usage: node --import tsx bench/faults/run.ts [seconds, 600 by default]
 */
import { spawnSync } from 'node:child_process'
import { temporalBinary } from '../../src/embedded/temporal/find-binary.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { chaos } from './chaos.ts'
import { INSIDE } from './laboratory.ts'

const mayUnshare = process.env[INSIDE] === undefined && process.getuid?.() === 0 && process.platform === 'linux'
const namespaces = ['-n', '-m', '--propagation', 'private']
if (mayUnshare && spawnSync('unshare', [...namespaces, 'true']).status === 0) {
  const self = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  const { status } = spawnSync('unshare', [...namespaces, ...self], {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: 'true' },
  })
  process.exit(status ?? 1)
}
if (process.env[INSIDE] === undefined)
  console.log('SKIPPED: route, disk and clock. They need root and namespaces. What runs are the kills.')
const settings = { binary: process.env.PRICETAPE_TEMPORAL_BINARY, cacheDir: process.env.PRICETAPE_CACHE_DIR }
const binary = await temporalBinary(settings, silent)
const agreement = await chaos({ temporalBinary: binary, seconds: Number(process.argv[2] ?? 600), say: console.log })
console.log(JSON.stringify(agreement, null, 1))
process.exitCode = agreement.disagreements.length > 0 ? 1 : 0
