#!/usr/bin/env node
// The operator's commands without npm's own output in front: `npx pricetape … --json | jq`.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const COMPILED = join(ROOT, 'dist/src/cli/main.js')
const FOLDERS = ['src', 'workflows', 'activities', 'clients/typescript/src', 'sources']

/** Whether `npm run build` has run since the sources changed, or there are no sources. */
function compiledIsCurrent() {
  if (!existsSync(COMPILED)) return false
  const built = statSync(COMPILED).mtimeMs
  const files = FOLDERS.filter((folder) => existsSync(join(ROOT, folder))).flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(ROOT, folder, name)),
  )
  return files.every((file) => statSync(file).mtimeMs <= built)
}

if (compiledIsCurrent()) {
  await import(COMPILED)
} else {
  const { register } = await import('tsx/esm/api')
  register()
  await import('../src/cli/main.ts')
}
