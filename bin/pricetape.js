#!/usr/bin/env node
// The operator's commands without npm's own output in front: `npx pricetape … --json | jq`.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const COMPILED = join(ROOT, 'dist/src/main.js')
const FOLDERS = ['src', 'workflows', 'activities', 'clients/typescript/src', 'sources']

/** Whether `npm run build` has run since the sources changed. An installed package and an image have no sources. */
function compiledIsCurrent() {
  if (!existsSync(join(ROOT, 'src'))) return true
  if (!existsSync(COMPILED)) return false
  const built = statSync(COMPILED).mtimeMs
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(ROOT, folder, name)),
  )
  return files.every((file) => statSync(file).mtimeMs <= built)
}

// `pricetape start` is what `npm start` is in a checkout.
const starts = process.argv[2] === 'start'
if (starts) process.argv.splice(2, 1)
const entry = starts ? 'src/main' : 'src/cli/main'

if (compiledIsCurrent()) {
  await import(join(ROOT, 'dist', `${entry}.js`))
} else {
  const { register } = await import('tsx/esm/api')
  register()
  await import(`../${entry}.ts`)
}
