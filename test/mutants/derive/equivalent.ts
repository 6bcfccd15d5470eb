import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DerivedMutant } from './derived.ts'

/** A mutant that changes nothing visible, by what `described` calls it, and why. */
type Equivalent = { file: string; what: string; why: string }

const lines = readFileSync(join(import.meta.dirname, 'equivalent.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
const named = new Set(lines.map((line) => JSON.parse(line) as Equivalent).map(({ file, what }) => `${file} ${what}`))

/** Whether a mutant is in the list of those that change nothing. They are not tried. */
export const isEquivalent = ({ file, what }: DerivedMutant): boolean => named.has(`${file} ${what}`)
