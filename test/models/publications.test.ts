import { describe, expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { commands, HISTORIES } from './publication-commands.ts'
import { end } from './publication-reads.ts'
import { begin, newProduct } from './publication-world.ts'
import { checkAgainstModel } from './run-model.ts'

describe('publications and reads', () => {
  const product = newProduct(testDatabase())

  it('agree with the model: each answer, each walk through its pages, and each event', async () => {
    const tried = await checkAgainstModel({
      ...{ name: 'publications', histories: 0, steps: 60, commands, end, always: HISTORIES },
      begin: async () => ({ model: await begin(product), real: product }),
    })
    expect(tried.steps).toBeGreaterThan(0)
  })
})
