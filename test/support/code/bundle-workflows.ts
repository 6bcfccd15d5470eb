import { mkdir } from 'node:fs/promises'
import { pino } from 'pino'
import { cachedBundle } from '../../../src/temporal/cached-bundle.ts'

// A process of its own, because bundling holds up the one that it runs in. The product bundles at its first start, and
// finds the file at the next: prints where it is.
const folder = process.argv[2]!
const log = pino({ level: 'silent' })
await mkdir(folder, { recursive: true })
await cachedBundle(folder, log)
const kept = await cachedBundle(folder, log)
if (!('codePath' in kept)) throw new Error(`The bundled workflows were not kept in ${folder}.`)
process.stdout.write(`${kept.codePath}\n`)
