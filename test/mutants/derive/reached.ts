import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { groupBy } from '../../../src/lib/collections.ts'
import { secondsOf } from '../../support/suite/longest-first.ts'
import { fileOf, PROOFS } from '../../support/suite/proofs.ts'
import { withCopy } from '../copy-tree.ts'
import { derivedFiles, namedPlaces } from './derived.ts'
import type { ReachedBy } from './record.ts'
import { switchWorkflows } from './sandbox.ts'
import { withSwitches } from './switches.ts'
import { type RanFile, testRuns } from './test-runs.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CACHE = join(ROOT, '.cache/mutants/reached.json')
/** Files that are run before what they reached is kept. */
const AT_ONCE = 24

/** What one test file reached: places by their number, each test's and those of hooks. */
type ReachedFile = {
  hash: string
  ms: number
  tests: { name: string; ms: number; places: number[] }[]
  byHooks: number[]
}
export type ReachedPlaces = { keys: string[]; files: Record<string, ReachedFile> }

/** Tests that change nothing here: they compare texts, run the product of a package or a browser, or take minutes. */
const LEFT_OUT =
  /^test\/(?:journeys|packaging|documentation|releases|clients|histories|wire|mutants|replay|models|suite|architecture)|^test\/hostile\/(?:namespace|rendering)|^test\/embedded\/|^test\/collectors\//
const PROOF_FILES = new Set(Object.values(PROOFS).flat().map(fileOf))

const testFiles = (): string[] =>
  readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => !LEFT_OUT.test(file) && !PROOF_FILES.has(file))
    .sort((a, b) => secondsOf(a) - secondsOf(b))

const hashOf = (file: string): string =>
  createHash('sha256')
    .update(readFileSync(join(ROOT, file)))
    .digest('hex')

export function readReached(): ReachedPlaces {
  return existsSync(CACHE) ? (JSON.parse(readFileSync(CACHE, 'utf8')) as ReachedPlaces) : { keys: [], files: {} }
}

/**
 * Runs each test file that changed since it was recorded, and keeps which places it reaches.
 * @param end what is left then is recorded the next time @returns whether everything is recorded
 */
export async function recordReached(end: number, say: (line: string) => void): Promise<boolean> {
  const reached = readReached()
  const missing = () => testFiles().filter((file) => reached.files[file]?.hash !== hashOf(file))
  if (missing().length === 0) return true
  await withCopy(ROOT, async (copy) => {
    const keys: string[] = ['']
    for (const file of derivedFiles()) {
      const { text, places } = namedPlaces(file)
      const switches = places.map((place) => {
        const { start, end, around } = place
        const same = { id: keys.push(place.key) - 1, start, end, text: around?.otherwise ?? text.slice(start, end) }
        return { ...place, alternatives: [same] }
      })
      writeFileSync(join(copy, file), withSwitches(text, switches))
    }
    switchWorkflows(copy)
    const notes = join(copy, 'places.jsonl')
    const runs = await testRuns(copy, { env: { PRICETAPE_PLACES: notes }, setup: ['test/mutants/derive/record.ts'] })
    // Nothing runs beside a light DOM, which is never removed entirely.
    const [screens, others] = [true, false].map((is) =>
      missing().filter((file) => file.startsWith('test/screens/') === is),
    )
    while (Date.now() < end) {
      const next = others!.length > 0 ? others!.splice(0, AT_ONCE) : screens!.splice(0)
      if (next.length === 0) break
      writeFileSync(notes, '')
      const ran: RanFile[] = []
      await runs.run(
        next.map((file) => ({ file })),
        (file) => ran.push(file),
      )
      keep(reached, ran, notesOf(notes, copy), keys)
      say(`${ran.length} test files recorded, ${missing().length} left`)
    }
    await runs.close()
  })
  return missing().length === 0
}

type Note = ReachedBy & { places: number[] }

const notesOf = (notes: string, copy: string): Note[] =>
  readFileSync(notes, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Note)
    .map((note) => ({ ...note, file: relative(copy, note.file) }))

function keep(reached: ReachedPlaces, ran: RanFile[], notes: Note[], keys: string[]): void {
  const numbers = new Map(reached.keys.map((key, number) => [key, number]))
  const numberOf = (place: number): number => {
    const key = keys[place]!
    if (!numbers.has(key)) numbers.set(key, reached.keys.push(key) - 1)
    return numbers.get(key)!
  }
  const byFile = groupBy(notes, ({ file }) => file)
  for (const { file, ms, tests } of ran) {
    const ofTest = groupBy(byFile.get(file) ?? [], ({ test }) => test ?? '')
    const placesOf = (test: string) => [
      ...new Set((ofTest.get(test) ?? []).flatMap(({ places }) => places.map(numberOf))),
    ]
    const passed = tests.filter((test) => test.passed)
    reached.files[file] = {
      hash: hashOf(file),
      ms,
      tests: passed.map((test) => ({ name: test.name, ms: test.ms, places: placesOf(test.name) })),
      byHooks: placesOf(''),
    }
  }
  mkdirSync(dirname(CACHE), { recursive: true })
  rmSync(CACHE, { force: true })
  writeFileSync(CACHE, JSON.stringify(reached))
}
