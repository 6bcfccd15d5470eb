/**
 * Kills each process of `npm start` while a round sends, and `npm start` itself: see README.md. What an installation of
 * many processes does, `bench/topology` measures.
 * usage: node --import tsx bench/durability/losses.ts
 */
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { ROOT, run, say } from '../../ops/run.ts'
import { temporalBinary } from '../../src/embedded/temporal/find-binary.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { connect } from '../../src/lib/sql.ts'
import { startInstallation } from '../faults/installation.ts'
import { prepareHistory } from '../faults/reader.ts'
import { judge } from '../topology/judge.ts'
import { killOne } from '../topology/phases.ts'
import { createDeliveries, keepReading, readerKeys, startReceiver } from '../topology/traffic.ts'

const PARTS = ['api', 'worker', 'temporal', 'postgres'] as const

const code = '.cache/durability'
if (!(await stat(join(ROOT, code, 'workflow-bundle.js')).catch(() => undefined)))
  await run('npm', ['run', 'build', '--', code])
const folder = await mkdtemp('/var/tmp/pricetape-losses-')
await chmod(folder, 0o755)
const settings = { binary: process.env.PRICETAPE_TEMPORAL_BINARY, cacheDir: process.env.PRICETAPE_CACHE_DIR }
const installation = await startInstallation(folder, await temporalBinary(settings, silent), `${code}/src/main.js`)
const sql = connect(installation.databaseUrl, { max: 4, name: 'trial' })
const { url } = await prepareHistory(sql, installation.url)
const receiver = await startReceiver()
const reading = keepReading(url, await readerKeys(sql))
const trial = { sql, receiver, reading, add: await createDeliveries(sql, receiver.url) }

for (const part of PARTS) say(JSON.stringify(await killOne(trial, { name: part, kill: () => installation.kill(part) })))
say(JSON.stringify(await killOne(trial, { name: 'npm start', kill: () => void installation.killSupervisor() })))
const found = await judge(sql, receiver)
say(JSON.stringify({ ...found, load: loadavg()[0]?.toFixed(1) }))

await reading.stop()
await sql.end({ timeout: 1 })
receiver.close()
await installation.stop()
await rm(folder, { recursive: true, force: true })
process.exit(found.lost === 0 && found.doubledWithoutReason === 0 && found.invented === 0 ? 0 : 1)
