import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { joinKey } from '../../../src/lib/collections.ts'
import type { DerivedMutant } from './derived.ts'

const CACHE = join(import.meta.dirname, '../../../.cache/mutants/verdicts.json')

/** The test that noticed a mutant, if any; whether PostgreSQL refuses it; and which tests were tried, as they were. */
export type Verdict = { noticedBy?: string; isRefused?: true; tests: string }

/** Verdicts that hold while the mutated place is as it was: a survivor is tried again when its tests have changed. */
export class Verdicts {
  readonly #known = new Map<string, Verdict>(
    existsSync(CACHE) ? Object.entries(JSON.parse(readFileSync(CACHE, 'utf8')) as Record<string, Verdict>) : [],
  )

  of(mutant: DerivedMutant, tests: string): Verdict | undefined {
    const known = this.#known.get(nameOf(mutant))
    return known && (known.noticedBy !== undefined || known.isRefused || known.tests === tests) ? known : undefined
  }

  keep(mutant: DerivedMutant, verdict: Verdict): void {
    this.#known.set(nameOf(mutant), verdict)
    mkdirSync(dirname(CACHE), { recursive: true })
    writeFileSync(CACHE, JSON.stringify(Object.fromEntries(this.#known)))
  }
}

const nameOf = ({ key, what }: DerivedMutant): string => joinKey(key, what)
