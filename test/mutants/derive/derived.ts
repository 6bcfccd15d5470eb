import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceFiles } from '../../support/code/source-files.ts'
import { mutatedFiles } from '../pure-files.ts'
import type { Place } from './code-mutations.ts'
import { placesOf } from './places.ts'
import { type Mutation, sqlMutations } from './sql-mutations.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** One small bug. `key` names its place, `id` switches it on. */
export type DerivedMutant = Mutation & { id: number; file: string; key: string; line: number; what: string }
/** A place of a file, under a name that stays while its text does. */
export type NamedPlace = Place & { file: string; key: string }

/** Shapes and words, whose mutants say nothing about behaviour; and what Stryker's mutants cover. */
const LEFT_OUT = /(?:^|[/-])(schema|demo|words|texts?)\.tsx?$|^src\/(?:cli|embedded|collectors|roles)\//

/** Returns the files of stores, use cases, routes and pages that mutants are derived from. */
export function derivedFiles(): string[] {
  const pure = new Set(mutatedFiles())
  return sourceFiles.filter((file) => !pure.has(file) && !LEFT_OUT.test(file)).sort()
}

/** Returns every place of a file. */
export function namedPlaces(file: string): { text: string; places: NamedPlace[] } {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const places = (file.endsWith('.sql') ? [wholeOf(text)] : placesOf(file, text)).map((place) => {
    const hash = createHash('sha256').update(text.slice(place.start, place.end)).digest('hex').slice(0, 12)
    return { ...place, file, key: `${file}#${hash}` }
  })
  return { text, places }
}

/** A stored function is one place. */
const wholeOf = (text: string): Place => ({
  start: 0,
  end: text.length,
  isStatement: false,
  mutations: sqlMutations(text, text),
})

/** Returns every mutant of files, numbered from 1. */
export function derivedMutants(files: readonly string[]): DerivedMutant[] {
  let id = 0
  return files.flatMap((file) => {
    const { text, places } = namedPlaces(file)
    return places.flatMap(({ key, mutations }) =>
      mutations.map((mutation) => ({
        ...mutation,
        id: ++id,
        file,
        key,
        line: text.slice(0, mutation.start).split('\n').length,
        what: described(text, mutation),
      })),
    )
  })
}

const BEFORE = 30
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ')

/** `…where l.source = ⟦${source} → true⟧`: what stands before, what is changed, and into what. */
function described(text: string, { start, end, text: other }: Mutation): string {
  const was = text.slice(start, end)
  // Where a whole expression is written again, what both have in common at the end is left out.
  let same = 0
  while (same < Math.min(was.length, other.length) && was.at(-1 - same) === other.at(-1 - same)) same++
  const cut = same > 40 ? same - 40 : 0
  const shown = (one: string) => onOneLine(cut > 0 ? `${one.slice(0, -cut)}…` : one)
  return `…${onOneLine(text.slice(Math.max(0, start - BEFORE), start))}⟦${shown(was)} → ${shown(other)}⟧`
}
