import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import seeds from './seeds.json' with { type: 'json' }

/** `PRICETAPE_PROPERTY_SECONDS=600` searches for ten minutes, `PRICETAPE_PROPERTY_SEED` repeats one history. */
const { PRICETAPE_PROPERTY_SECONDS, PRICETAPE_PROPERTY_SEED } = process.env
/** A found history is made shorter for at most so long. */
const SHORTEN_MS = 20_000

/** Something that may happen: what it does to the model, and that the product did the same. */
export const command = <Model extends object, Real>(
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
  isPossible: (model: Readonly<Model>) => boolean = () => true,
): fc.AsyncCommand<Model, Real> => ({
  check: isPossible,
  run,
  toString: () => name,
})

/** The suite tries the same histories every time, so that it fails only where something has changed. */
const SUITE_SEEDS = [101, 102, 103, 104, 105, 106]

export type ModelRun<Model, Real> = {
  /** The name in `seeds.json`. */
  name: string
  /** How long random histories are tried, where no setting says otherwise. */
  seconds: number
  /** How many steps a history has at most. */
  steps: number
  commands: fc.Arbitrary<fc.AsyncCommand<Model & object, Real>>[]
  /** The model and the product at the beginning of a history. */
  begin: () => Promise<{ model: Model; real: Real }>
  /** Compares them once more when a history is over. */
  end?: (model: Model, real: Real) => Promise<void>
}

/**
 * Lets random things happen to the product and to its model, and fails where they differ. The histories of the kept
 * seeds come first. Returns how much was tried.
 */
export async function checkAgainstModel<Model extends object, Real>(
  run: ModelRun<Model, Real>,
): Promise<{ histories: number; steps: number }> {
  const seconds = Number(PRICETAPE_PROPERTY_SECONDS ?? run.seconds)
  const until = performance.now() + seconds * 1_000
  const tried = { histories: 0, steps: 0 }
  if (PRICETAPE_PROPERTY_SEED !== undefined) {
    await tryHistory(run, Number(PRICETAPE_PROPERTY_SEED), tried)
    return tried
  }
  for (const seed of (seeds as Record<string, number[]>)[run.name] ?? []) await tryHistory(run, seed, tried)
  const isSearch = PRICETAPE_PROPERTY_SECONDS !== undefined
  for (let n = 0; n === 0 || performance.now() < until; n++) {
    const seed = isSearch ? randomInt(2 ** 31) : SUITE_SEEDS[n]
    if (seed === undefined) break
    await tryHistory(run, seed, tried)
  }
  if (isSearch) console.info(`${run.name}: ${tried.steps} steps in ${tried.histories} histories agree with the model.`)
  return tried
}

async function tryHistory<Model extends object, Real>(
  { name, steps, commands, begin, end }: ModelRun<Model, Real>,
  seed: number,
  tried: { histories: number; steps: number },
): Promise<void> {
  const history = fc.commands(commands, { maxCommands: steps, size: 'max' })
  const property = fc.asyncProperty(history, async (happenings) => {
    const { model, real } = await begin()
    await fc.asyncModelRun(async () => ({ model, real }), happenings)
    await end?.(model, real)
    tried.histories++
    // A step that was not possible when its turn came did not run.
    tried.steps += [...happenings].filter((step) => 'hasRan' in step && step.hasRan).length
  })
  try {
    await fc.assert(property, { seed, numRuns: 1, unbiased: true, skipAllAfterTimeLimit: SHORTEN_MS })
  } catch (error) {
    const { message } = error as Error
    throw new Error(
      `The ${name} differ from their model with the seed ${seed}. Repeat it with PRICETAPE_PROPERTY_SEED=${seed}, and ` +
        `keep the seed in test/models/seeds.json when it is mended.\n${message}`,
      { cause: error },
    )
  }
}
