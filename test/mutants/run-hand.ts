import { join } from 'node:path'
import { withMutant } from './apply-mutant.ts'
import { withCopy } from './copy-tree.ts'
import { HAND_MUTANTS } from './hand/all.ts'
import type { Mutant } from './mutant.ts'
import { type Outcome, testRunner } from './run-tests.ts'

/**
 * Puts each mutant written by hand into a copy of the repository and runs its tests: at least one must fail. Words after
 * the command choose the mutants whose name or file contains one of them. Ends with status 1 when a mutant survives.
 */
const ROOT = join(import.meta.dirname, '../..')
const words = process.argv.slice(2)
const chosen = HAND_MUTANTS.filter(
  ({ name, file }) => words.length === 0 || words.some((word) => `${name} ${file}`.includes(word)),
)

const killed = await withCopy(ROOT, async (copy) => {
  const shared = await testRunner(copy)
  const sound = await shared.run([...new Set(chosen.flatMap(({ tests }) => tests))])
  if (!sound.ok) throw new Error(`Tests fail without any mutant: ${sound.failed.join('; ')}`)
  let count = 0
  for (const mutant of chosen.filter(({ built }) => !built)) {
    const outcome = await withMutant(copy, mutant, () => {
      shared.changed(mutant.file)
      return shared.run(mutant.tests)
    })
    shared.changed(mutant.file)
    count += report(mutant, outcome)
  }
  await shared.close()
  for (const mutant of chosen.filter(({ built }) => built)) {
    const outcome = await withMutant(copy, mutant, async () => {
      const fresh = await testRunner(copy)
      return fresh.run(mutant.tests).finally(fresh.close)
    })
    count += report(mutant, outcome)
  }
  return count
})

process.stdout.write(`${killed} of ${chosen.length} mutants were killed.\n`)
process.exit(killed === chosen.length ? 0 : 1)

/** Returns how many mutants were killed: one or none. */
function report({ name, file }: Mutant, { ok, failed }: Outcome): number {
  const text = ok ? `SURVIVED  ${name} (${file})` : `killed    ${name} (${file}) by ${failed[0]}`
  process.stdout.write(`${text}\n`)
  return ok ? 0 : 1
}
