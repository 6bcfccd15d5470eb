/**
 * `npm run mutants:derived -- prices terms --sample 30 --seed 1 --minutes 9`: small bugs in SQL, use cases, routes and pages,
 * derived from the code. Each is tried against the tests that reach its place. What is known is kept in `.cache/mutants`, so
 * the same command goes on where the time was over.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { groupBy } from '../../../src/lib/collections.ts'
import { roomOf } from '../../support/code/source-files.ts'
import { type Score, tableOf } from '../score.ts'
import { type DerivedMutant, derivedFiles, derivedMutants } from './derived.ts'
import { isEquivalent } from './equivalent.ts'
import { functionFiles } from './functions.ts'
import { readReached, recordReached } from './reached.ts'
import { trialsOf } from './trials.ts'
import { testsHash, tryMutants } from './try-mutants.ts'
import { Verdicts } from './verdicts.ts'

/** A long statement has dozens. */
const MOST_OF_A_PLACE = 3
const ROOT = join(import.meta.dirname, '../../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '60' },
    // Goes on with what is recorded, also where test files are missing or have changed.
    recorded: { type: 'boolean', default: false },
  },
})
const end = Date.now() + Number(values.minutes) * 60_000
const say = (line: string): void => void process.stdout.write(`${line}\n`)

if (!values.recorded && !(await recordReached(end, say))) process.exit(0)

const isWanted = (file: string) =>
  positionals.length === 0 ||
  positionals.some((name) => [name, `src/${name}`].some((path) => `${file}/`.startsWith(`${path}/`)))
const reached = readReached()
const all = derivedMutants([...derivedFiles(), ...functionFiles()].filter(isWanted))
const tried = all.filter((mutant) => !isEquivalent(mutant))
const rooms = groupBy(tried, ({ file }) => roomOf(file))
const chosen = [...rooms].map(([room, mutants]) => ({ room, mutants: sampleOf(mutants) }))
const verdicts = new Verdicts()
await tryMutants(
  ROOT,
  chosen.flatMap(({ mutants }) => mutants),
  reached,
  verdicts,
  end,
)

const scores: Score[] = []
for (const { room, mutants } of chosen) {
  const found = mutants.map((mutant) => {
    const trials = trialsOf(mutant, reached)
    return { mutant, trials, verdict: verdicts.of(mutant, testsHash(trials, reached)) }
  })
  const untested = found.filter(({ trials }) => trials.length === 0)
  const survived = found.filter(
    ({ trials, verdict }) => trials.length > 0 && verdict && !verdict.noticedBy && !verdict.isRefused,
  )
  const noticed = found.filter(({ verdict }) => verdict?.noticedBy)
  for (const { mutant } of survived) say(`SURVIVED  ${mutant.file}:${mutant.line} ${mutant.what}`)
  for (const { mutant } of untested) say(`UNTESTED  ${mutant.file}:${mutant.line} ${mutant.what}`)
  const count = noticed.length + survived.length + untested.length
  const unknown = found.filter(({ trials, verdict }) => trials.length > 0 && !verdict).length
  if (unknown > 0) say(`${room}: ${unknown} are not tried yet`)
  scores.push({
    name: room,
    files: new Set(mutants.map(({ file }) => file)).size,
    mutants: count,
    unnoticed: survived.length,
    untested: untested.length,
    score: count === 0 ? 100 : (100 * noticed.length) / count,
  })
}
say(`\n${tableOf(scores)}`)
process.exit(0)

/** The same for the same seed. */
function sampleOf(mutants: DerivedMutant[]): DerivedMutant[] {
  const lot = (text: string) => createHash('sha256').update(`${values.seed} ${text}`).digest('hex')
  const drawn = mutants
    .map((mutant) => ({ mutant, lot: lot(`${mutant.key} ${mutant.what}`) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
  const ofPlace = new Map<string, number>()
  const few = drawn.filter(({ mutant: { key } }) => {
    ofPlace.set(key, (ofPlace.get(key) ?? 0) + 1)
    return ofPlace.get(key)! <= MOST_OF_A_PLACE
  })
  return few.slice(0, Number(values.sample)).map(({ mutant }) => mutant)
}
