import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { cachedBundle } from '../../../src/temporal/cached-bundle.ts'

// A process of its own, because bundling holds up the one that it runs in. The product bundles at its first start, and
// finds the file at the next: prints where it is.
const folder = process.argv[2]!
const log = pino({ level: 'silent' })
await mkdir(folder, { recursive: true })
// What test/roles/workflow-bundle.test.ts expects to be deleted, and to be left.
for (const name of ['workflow-bundle-of-another-version.js', 'of-someone-else.js'])
  await writeFile(join(folder, name), '')
await cachedBundle(folder, log)
const kept = await cachedBundle(folder, log)
if (!('codePath' in kept)) throw new Error(`The bundled workflows were not kept in ${folder}.`)
process.stdout.write(`${kept.codePath}\n`)
