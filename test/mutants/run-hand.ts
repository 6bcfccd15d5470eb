import { join } from 'node:path'
import { withMutant } from './apply-mutant.ts'
import { withCopy } from './copy-tree.ts'
import { HAND_MUTANTS } from './hand/all.ts'
import type { Mutant } from './mutant.ts'
import { type Runner, testRunner } from './run-tests.ts'

type Killer = { test: string; failed: string }

/**
 * Puts each mutant written by hand into a copy of the repository and runs its tests: at least one must fail. Words after
 * the command choose the mutants whose name or file contains one of them. Ends with status 1 when a mutant survives.
 */
const ROOT = join(import.meta.dirname, '../..')
const words = process.argv.slice(2)
const named = HAND_MUTANTS.filter(
  ({ name, file }) => words.length === 0 || words.some((word) => `${name} ${file}`.includes(word)),
)
/** What is bundled, or made in the database before the first test, is made again. */
const isBuilt = ({ built, file }: Mutant): boolean => built === true || file.endsWith('.sql')
// Those that are built again delete all bundles of this process when they end, so they come last.
const chosen = [...named.filter((mutant) => !isBuilt(mutant)), ...named.filter(isBuilt)]

const killed = await withCopy(ROOT, async (copy) => {
  const shared = await testRunner(copy)
  const passing = new Set<string>()
  let count = 0
  for (const mutant of chosen) {
    const found = await killer(copy, shared, mutant)
    // A test that fails without the mutant too says nothing about it.
    if (found && !passing.has(found.test)) {
      const runner = isBuilt(mutant) ? await testRunner(copy) : shared
      const sound = await runner.run([found.test])
      if (runner !== shared) await runner.close()
      if (!sound.ok) throw new Error(`${found.test} fails without any mutant: ${sound.failed.join('; ')}`)
      passing.add(found.test)
    }
    count += report(mutant, found?.failed)
  }
  await shared.close()
  return count
})

process.stdout.write(`${killed} of ${chosen.length} mutants were killed.\n`)
process.exit(killed === chosen.length ? 0 : 1)

/** Returns the first test file that fails with the mutant. The likeliest alone kills most, so they run one by one. */
async function killer(copy: string, shared: Runner, mutant: Mutant): Promise<Killer | undefined> {
  const found = await withMutant(copy, mutant, async () => {
    const runner = isBuilt(mutant) ? await testRunner(copy) : shared
    shared.changed(mutant.file)
    try {
      for (const test of mutant.tests) {
        const { ok, failed } = await runner.run([test])
        if (!ok) return { test, failed: failed[0]! }
      }
    } finally {
      if (runner !== shared) await runner.close()
    }
  })
  shared.changed(mutant.file)
  return found
}

/** Returns how many mutants were killed: one or none. */
function report({ name, file }: Mutant, failed: string | undefined): number {
  process.stdout.write(failed ? `killed    ${name} (${file}) by ${failed}\n` : `SURVIVED  ${name} (${file})\n`)
  return failed ? 1 : 0
}
