/**
 * Compiles the product to JavaScript, which runs with neither tsx nor the sources: `npm run build`, then
 * `node dist/src/main.js --role api`. An argument names another folder than dist; packages must be found from it.
 */
import { execFileSync } from 'node:child_process'
import { cp, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { currentApp } from './src/embedded/build-app.ts'

/** What the code reads beside its modules. */
const ASSETS = ['src/database', 'src/collectors/fetch/without-network.sh', 'sources']

const root = import.meta.dirname
const target = resolve(process.argv[2] ?? join(root, 'dist'))
// Made beside it, so that the folder is there whole or not at all.
const fresh = `${target}.new`

await rm(fresh, { recursive: true, force: true })
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', fresh], { stdio: 'inherit' })
for (const asset of ASSETS) await cp(join(root, asset), join(fresh, asset), { recursive: true })
const compiled: typeof import('./src/temporal/bundle.ts') = await import(join(fresh, 'src/temporal/bundle.js'))
const { code } = await bundleWorkflowCode({ ...compiled.BUNDLED, logger: new DefaultLogger('WARN') })
await writeFile(join(fresh, 'workflow-bundle.js'), code)
const app = await currentApp({ say: (line) => console.log(line) })
await cp(app, join(fresh, 'app'), { recursive: true })
await rm(target, { recursive: true, force: true })
await rename(fresh, target)
