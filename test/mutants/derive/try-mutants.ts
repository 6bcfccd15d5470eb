import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupBy } from '../../../src/lib/collections.ts'
import { withCopy } from '../copy-tree.ts'
import { type DerivedMutant, namedPlaces } from './derived.ts'
import { fromTemplateOfTrial, isFunction, templateOf } from './functions.ts'
import type { ReachedPlaces } from './reached.ts'
import { switchWorkflows } from './sandbox.ts'
import { withSwitches } from './switches.ts'
import { type TestRuns, testRuns } from './test-runs.ts'
import { runTrials, type Trial, trialsOf } from './trials.ts'
import type { Verdict, Verdicts } from './verdicts.ts'

/** Mutants that are tried in one run of tests. */
const AT_ONCE = 24
/** What the tests of one mutant may take; the second time, what is left after the first. */
const BUDGETS_MS = [5_000, 60_000]

/** What PostgreSQL says of SQL that is none: such a mutant says nothing about tests. */
const REFUSED = /syntax error at|invalid input (syntax|value)|operator does not exist|must appear in the GROUP BY/

/** Tries mutants in one copy of the product that has them all. @param end what is left then has no verdict */
export async function tryMutants(
  root: string,
  mutants: readonly DerivedMutant[],
  reached: ReachedPlaces,
  verdicts: Verdicts,
  end: number,
): Promise<void> {
  const trials = new Map(mutants.map((mutant) => [mutant, trialsOf(mutant, reached)]))
  const testsOf = (mutant: DerivedMutant) => testsHash(trials.get(mutant)!, reached)
  const unknown = mutants.filter((mutant) => verdicts.of(mutant, testsOf(mutant)) === undefined)
  const reachable = unknown.filter((mutant) => trials.get(mutant)!.length > 0)
  if (reachable.length === 0 || Date.now() >= end) return
  await withCopy(root, async (copy) => {
    const database = join(copy, 'test/support/databases/copies.ts')
    writeFileSync(database, fromTemplateOfTrial(readFileSync(database, 'utf8')))
    for (const [file, those] of groupBy(reachable, (mutant) => mutant.file))
      if (!isFunction(file)) writeSwitches(copy, file, those)
    switchWorkflows(copy)
    const runs = await testRuns(copy, {})
    const sound = new Map<string, boolean>()
    for (let from = 0; from < reachable.length && Date.now() < end; from += AT_ONCE) {
      const batch = new Set(reachable.slice(from, from + AT_ONCE))
      const settle = (mutant: DerivedMutant, verdict: Omit<Verdict, 'tests'>): void => {
        verdicts.keep(mutant, { ...verdict, tests: testsOf(mutant) })
        batch.delete(mutant)
      }
      const left = new Map([...batch].map((mutant) => [mutant.id, [...trials.get(mutant)!]]))
      for (const mutant of [...batch].filter(({ file }) => isFunction(file))) {
        const template = await templateOf(runs, mutant)
        for (const trial of left.get(mutant.id)!) trial.template = template
        if (template === undefined) settle(mutant, { isRefused: true })
      }
      for (const budget of BUDGETS_MS) {
        const chosen = [...batch].flatMap(({ id }) => takeUpTo(left.get(id)!, budget))
        for (const [trial, error] of await runTrials(runs, copy, chosen)) {
          const mutant = [...batch].find(({ id }) => id === trial.id)
          if (!mutant || !(await passesWithout(runs, copy, trial, sound))) continue
          settle(mutant, REFUSED.test(error) ? { isRefused: true } : { noticedBy: `${trial.file}: ${error}` })
        }
      }
      for (const mutant of batch) settle(mutant, {})
    }
    await runs.close()
  })
}

export const testsHash = (trials: readonly Trial[], { files }: ReachedPlaces): string =>
  trials.map(({ file }) => files[file]!.hash.slice(0, 8)).join(' ')

function writeSwitches(copy: string, file: string, mutants: DerivedMutant[]): void {
  const { text, places } = namedPlaces(file)
  const ids = new Map(mutants.map((mutant) => [`${mutant.start} ${mutant.end} ${mutant.text}`, mutant]))
  const switches = places.flatMap((place) => {
    const alternatives = place.mutations.flatMap(({ start, end, text }) => ids.get(`${start} ${end} ${text}`) ?? [])
    return alternatives.length > 0 ? [{ ...place, alternatives }] : []
  })
  writeFileSync(join(copy, file), withSwitches(text, switches))
}

/** Takes trials from the front of a list: at least one, and as many as take this long. */
function takeUpTo(trials: Trial[], budgetMs: number): Trial[] {
  let took = 0
  let count = 0
  while (count < trials.length && (count === 0 || took + trials[count]!.ms <= budgetMs)) took += trials[count++]!.ms
  return trials.splice(0, count)
}

/** A test that fails without the mutant too says nothing about it. */
async function passesWithout(
  runs: TestRuns,
  copy: string,
  trial: Trial,
  known: Map<string, boolean>,
): Promise<boolean> {
  const name = JSON.stringify([trial.file, trial.names])
  if (!known.has(name)) known.set(name, (await runTrials(runs, copy, [{ ...trial, id: 0 }])).length === 0)
  return known.get(name)!
}
