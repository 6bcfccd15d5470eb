import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readSource, roomOf } from '../../support/code/source-files.ts'
import type { DerivedMutant } from './derived.ts'
import { callOf, isFunction, placesThatCall } from './functions.ts'
import { hasHung, markNoticed } from './marks.ts'
import type { ReachedPlaces } from './reached.ts'
import type { RanFile, TestRuns } from './test-runs.ts'

/** Tests of one file, all or those named, run while one mutant is active. */
export type Trial = { id: number; file: string; names?: string[]; ms: number; template?: string }

/** Running a file once more, in a process that has loaded the product. */
const START_MS = 300
const FOLDER = 'test/mutants/trials'
let count = 0
/** Nothing runs beside a light DOM, which is never removed entirely. */
const SCREENS = 'test/screens/'
const HUNG = 'its process was ended'

/** Returns the trials that reach a mutant, the fastest first, those of its folder and room before others. */
export function trialsOf({ id, file, key, start }: DerivedMutant, { keys, files }: ReachedPlaces): Trial[] {
  const call = isFunction(file) ? callOf({ file, start }) : undefined
  const wanted = call ? placesThatCall(call) : new Set([key])
  const numbers = new Set(keys.flatMap((one, number) => (wanted.has(one) ? [number] : [])))
  const reaches = (places: number[]) => places.some((place) => numbers.has(place))
  const folders = [...wanted].map((place) => dirname(place.replace(/^(?:src\/)?/, 'test/')))
  const isNear = (test: string) => folders.some((folder) => `${dirname(test)}/`.startsWith(`${folder}/`))
  const rooms = new Set([...wanted].map(roomOf))
  const isOfRoom = (test: string) => rooms.has(test.split('/')[1]!)
  const rank = (trial: Trial) => trial.ms * (isNear(trial.file) ? 1 : isOfRoom(trial.file) ? 2 : 6)
  return Object.entries(files)
    .flatMap(([test, { ms, tests, byHooks }]): Trial[] => {
      const all = tests.reduce((sum, one) => sum + one.ms, 0)
      const before = Math.max(0, ms - all) + START_MS
      // A test of a stored function calls it by itself.
      if (reaches(byHooks) || call?.test(readSource(test))) return [{ id, file: test, ms: before + all }]
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
  const folderOf = ({ id }: Trial) => join(marks, String(id))
  for (const trial of trials) mkdirSync(folderOf(trial), { recursive: true })
  for (const isScreen of [false, true]) {
    const those = trials.filter(({ file }) => file.startsWith(SCREENS) === isScreen)
    // In another folder each time: what was read once is kept. Its name stays: goldens are in a folder of that name.
    const byFile = new Map(those.map((trial) => [join(FOLDER, `${count++}`, basename(trial.file)), trial]))
    for (const [file, trial] of byFile) {
      mkdirSync(join(copy, dirname(file)), { recursive: true })
      writeFileSync(join(copy, file), sourceOf(trial, copy, folderOf(trial), nameOf(file)))
    }
    const onEnd = ({ file, tests, passed, error = '' }: RanFile) => {
      const trial = byFile.get(file)
      if (trial && passed && tests.length === 0) idle.push(trial)
      if (!trial || passed) return
      failed.push([trial, error])
      markNoticed(folderOf(trial))
    }
    const files = [...byFile].map(([file, { names }]) => ({ file, pattern: names && patternOf(names) }))
    if (files.length > 0) await runs.run(files, onEnd)
    for (const [file, trial] of byFile) if (hasHung(folderOf(trial), nameOf(file))) failed.push([trial, HUNG])
  }
  const unknown = idle.find(({ id }) => !failed.some(([trial]) => trial.id === id))
  if (unknown) throw new Error(`No test of ${unknown.file} is called ${unknown.names?.[0]}.`)
  return failed
}

/** Each trial has a folder of its own. */
const nameOf = (file: string): string => basename(dirname(file))

const patternOf = (names: string[]): RegExp =>
  new RegExp(`(?:^| )(?:${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`)

/**
 * A test file of its own for each trial: a file may be run only once at a time. After the first failure it ends, and those
 * that begin later do not run: a mutant that makes a test hang would make each of them hang. One that loops ends with its
 * process.
 */
const sourceOf = ({ id, file, template }: Trial, copy: string, folder: string, name: string): string => `
import { afterAll, afterEach, beforeAll, beforeEach, it } from 'vitest'
import { beginTrial, isNoticed } from ${JSON.stringify(join(copy, 'test/mutants/derive/marks.ts'))}
const activate = (id: number) => {
  globalThis.activeMutant = id
  process.env.PRICETAPE_MUTANT = String(id)
  globalThis.templateOfTrial = id === 0 ? undefined : ${JSON.stringify(template)}
}
let failed = false
if (isNoticed(${JSON.stringify(folder)})) it.skip('is not run any more', () => {})
else {
  const end = beginTrial(${JSON.stringify(folder)}, '${name}')
  activate(${id})
  beforeAll(() => activate(${id}))
  beforeEach((context) => { if (failed) context.skip() })
  afterEach(({ task }) => { failed ||= task.result?.state === 'fail' })
  afterAll(() => {
    activate(0)
    end()
  })
  try {
    await import(${JSON.stringify(`${join(copy, file)}?mutant=${id}`)})
  } catch (error) {
    end()
    throw error
  }
}
`
