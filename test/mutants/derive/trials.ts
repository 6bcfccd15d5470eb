import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DerivedMutant } from './derived.ts'
import { isFunction, placesThatCall } from './functions.ts'
import type { ReachedPlaces } from './reached.ts'
import type { RanFile, TestRuns } from './test-runs.ts'

/** Tests of one file, all or those named, run while one mutant is active. */
export type Trial = { id: number; file: string; names?: string[]; ms: number; template?: string }

/** Running a file once more, in a process that has loaded the product. */
const START_MS = 300
const FOLDER = 'test/mutants/trials'
let count = 0
const roomOf = (path: string): string | undefined => path.split('/').at(1)
/** Nothing runs beside a light DOM, which is never removed entirely. */
const SCREENS = 'test/screens/'
/** A process is ended where one trial takes this long: a test that loops cannot time out. */
const LONGEST_MS = 90_000
const HUNG = 'its process was ended'

/** Returns the trials that reach a mutant, the fastest first, those of its folder and room before others. */
export function trialsOf({ id, file, key, start }: DerivedMutant, { keys, files }: ReachedPlaces): Trial[] {
  const wanted = isFunction(file) ? placesThatCall({ file, start }) : new Set([key])
  const numbers = new Set(keys.flatMap((one, number) => (wanted.has(one) ? [number] : [])))
  const reaches = (places: number[]) => places.some((place) => numbers.has(place))
  const folders = [...wanted].map((place) => dirname(place.replace(/^(?:src\/)?/, 'test/')))
  const isNear = (test: string) => folders.some((folder) => `${dirname(test)}/`.startsWith(`${folder}/`))
  const isOfRoom = (test: string) => folders.some((folder) => roomOf(folder) === roomOf(test))
  const rank = (trial: Trial) => trial.ms * (isNear(trial.file) ? 1 : isOfRoom(trial.file) ? 2 : 6)
  return Object.entries(files)
    .flatMap(([test, { ms, tests, byHooks }]): Trial[] => {
      const all = tests.reduce((sum, one) => sum + one.ms, 0)
      const before = Math.max(0, ms - all) + START_MS
      if (reaches(byHooks)) return [{ id, file: test, ms: before + all }]
      const those = tests.filter(({ places }) => reaches(places))
      if (those.length === 0) return []
      const took = those.reduce((sum, one) => sum + one.ms, before)
      return [{ id, file: test, names: those.map(({ name }) => name), ms: took }]
    })
    .sort((a, b) => rank(a) - rank(b))
}

/**
 * Runs trials in a copy of the repository.
 * @returns those in which a test failed, with what it said
 */
export async function runTrials(runs: TestRuns, copy: string, trials: Trial[]): Promise<[Trial, string][]> {
  const failed: [Trial, string][] = []
  const idle: Trial[] = []
  const marks = join(copy, FOLDER, `noticed-${count++}`)
  mkdirSync(marks, { recursive: true })
  for (const isScreen of [false, true]) {
    const those = trials.filter(({ file }) => file.startsWith(SCREENS) === isScreen)
    // In another folder each time: what was read once is kept. Its name stays: goldens are in a folder of that name.
    const byFile = new Map(those.map((trial) => [join(FOLDER, `${count++}`, basename(trial.file)), trial]))
    for (const [file, trial] of byFile) {
      mkdirSync(join(copy, dirname(file)), { recursive: true })
      writeFileSync(join(copy, file), sourceOf(trial, copy, marks, basename(dirname(file))))
    }
    const onEnd = ({ file, tests, passed, error = '' }: RanFile) => {
      const trial = byFile.get(file)
      if (trial && passed && tests.length === 0) idle.push(trial)
      if (!trial || passed) return
      failed.push([trial, error])
      writeFileSync(join(marks, String(trial.id)), '')
    }
    const files = [...byFile].map(([file, { names }]) => ({ file, pattern: names && patternOf(names) }))
    if (files.length > 0) await runs.run(files, onEnd)
    for (const [file, trial] of byFile)
      if (marksOf(marks, trial.id).some((mark) => mark.run === basename(dirname(file)))) failed.push([trial, HUNG])
  }
  const unknown = idle.find(({ id }) => !failed.some(([trial]) => trial.id === id))
  if (unknown) throw new Error(`No test of ${unknown.file} is called ${unknown.names?.[0]}.`)
  return failed
}

/** The runs of a mutant that have begun and not ended, each with the process that it was in. */
const marksOf = (marks: string, id: number): { run: string; pid: number }[] =>
  readdirSync(marks)
    .map((name) => name.split('.'))
    .filter(([of, run]) => of === String(id) && run !== undefined)
    .map(([, run, pid]) => ({ run: run!, pid: Number(pid) }))

const patternOf = (names: string[]): RegExp =>
  new RegExp(`(?:^| )(?:${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`)

/**
 * A test file of its own for each trial: a file may be run only once at a time. After the first failure it ends, and those
 * that begin later do not run: a mutant that makes a test hang would make each of them hang. One that loops is ended with its
 * process (`active.mjs`), and leaves its mark.
 */
const sourceOf = ({ id, file, template }: Trial, copy: string, marks: string, run: string): string => `
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, it } from 'vitest'
const activate = (id: number) => {
  globalThis.activeMutant = id
  process.env.PRICETAPE_MUTANT = String(id)
  globalThis.templateOfTrial = id === 0 ? undefined : ${JSON.stringify(template)}
}
const isDead = (pid) => {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}
const ofDead = readdirSync(${JSON.stringify(marks)})
  .some((name) => name.startsWith('${id}.') && isDead(Number(name.split('.')[2])))
const mark = ${JSON.stringify(join(marks, `${id}.${run}.`))} + process.pid
let failed = false
if (ofDead || existsSync(${JSON.stringify(join(marks, String(id)))})) it.skip('is not run any more', () => {})
else {
  writeFileSync(mark, '')
  const goesOn = globalThis.endAfter(${LONGEST_MS})
  activate(${id})
  beforeAll(() => activate(${id}))
  beforeEach((context) => { if (failed) context.skip() })
  afterEach(({ task }) => { failed ||= task.result?.state === 'fail' })
  afterAll(() => {
    activate(0)
    goesOn()
    rmSync(mark)
  })
  try {
    await import(${JSON.stringify(`${join(copy, file)}?mutant=${id}`)})
  } catch (error) {
    goesOn()
    throw error
  }
}
`
