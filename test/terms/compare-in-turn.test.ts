import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { LimitExceededError } from '../../src/lib/isolation/errors.ts'
import type { Isolation } from '../../src/lib/isolation/isolation.ts'
import { createComparer } from '../../src/terms/read/compare-in-turn.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'
import { steppedClock } from '../support/stepped-clock.ts'
import { addDocuments, addVersion } from './document-rows.ts'

describe('versions that many visitors compare', () => {
  const db = testDatabase()
  /** Each text is longer than the one before. */
  const versions: string[] = []
  let other = ''
  beforeAll(async () => {
    await addDocuments(db.sql)
    for (let n = 1; n <= 5; n++) {
      const text = Array.from({ length: n }, (_, i) => `Clause ${i} of the terms says what you may do.`).join('\n\n')
      versions.push(await addVersion(db.sql, 'one-terms', text, { hour: n }))
    }
    other = await addVersion(db.sql, 'two-terms', 'Other terms.', { hour: 1 })
  })

  /** Real readers that begin when they are let, within these limits. */
  const readers = (limits: object = {}) => {
    let begin = (): void => {}
    const open = new Promise<void>((resolve) => {
      begin = resolve
    })
    let runs = 0
    const run: Isolation['run'] = async (task, input, options) => {
      runs++
      await open
      return isolation.run(task, input, { ...options, ...limits })
    }
    const compare = createComparer({ sql: db.sql, isolation: { ...isolation, run } })
    return { compare, begin, runs: () => runs }
  }
  const unavailable = { code: 'unavailable', retryAfter: 30 }
  const [shortest, longest] = [() => versions[0]!, () => versions[4]!]

  it('are compared once, for those who ask meanwhile and afterwards', async () => {
    const { compare, begin, runs } = readers()
    const asked = [1, 2, 3].map(() => compare(shortest(), longest()))
    begin()
    const [first, ...more] = await Promise.all(asked)
    expect(first).toMatchObject({ difference: { wordsRemoved: 0 }, after: { versionId: longest() } })
    for (const one of [...more, await compare(shortest(), longest())]) expect(one).toBe(first)
    expect(runs()).toBe(1)
    expect(await compare(longest(), shortest())).toMatchObject({ difference: { wordsAdded: 0 } })
    expect(runs()).toBe(2)
  })

  it('are compared sixteen at once: more visitors are asked to come again, unless others wait for the same', async () => {
    // Sixteen take long on a busy machine.
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
    onTestFinished(() => limit.mockRestore())
    const { compare, begin, runs } = readers()
    const pairs = versions.flatMap((from) => versions.filter((to) => to !== from).map((to) => [from, to] as const))
    const compared = pairs.slice(0, 16).map(([from, to]) => compare(from, to))
    const [from, to] = pairs[16]!
    await expect(compare(from, to)).rejects.toMatchObject(unavailable)
    const same = compare(...pairs[15]!)
    begin()
    await Promise.all(compared)
    await same
    expect(await compare(from, to)).toMatchObject({ before: { versionId: from } })
    expect(runs()).toBe(17)
  })

  it('are not tried again at once where that took too much', async () => {
    const { compare, begin, runs } = readers({ maxResultMb: 0 })
    begin()
    await expect(compare(shortest(), longest())).rejects.toMatchObject(unavailable)
    await expect(compare(shortest(), longest())).rejects.toMatchObject(unavailable)
    expect(runs()).toBe(1)
  })

  it.each([
    ['half a minute where the machine was busy', 30, () => AbortSignal.abort()],
    ['ten minutes where they were too much work', 600, () => new AbortController().signal],
  ])('are tried again after %s', async (_, seconds, signal) => {
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(signal)
    onTestFinished(() => limit.mockRestore())
    const goOn = steppedClock()
    let runs = 0
    const run: Isolation['run'] = () => {
      runs++
      return Promise.reject(new LimitExceededError('time', 'it took too long'))
    }
    const compare = createComparer({ sql: db.sql, isolation: { ...isolation, run } })
    for (const [after, times] of [
      [0, 1],
      [seconds - 1, 1],
      [2, 2],
    ] as const) {
      await goOn(after)
      await expect(compare(shortest(), longest())).rejects.toMatchObject(unavailable)
      expect([runs, limit.mock.calls]).toEqual([times, Array(times).fill([20_000])])
    }
  })

  it('are not found where they are of two documents, each time again', async () => {
    const { compare, begin } = readers()
    begin()
    for (let times = 0; times < 2; times++)
      await expect(compare(shortest(), other)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are compared again after a fault that says nothing about them', async () => {
    const broken: Isolation = { ...isolation, run: () => Promise.reject(new Error('no process starts')) }
    const compare = createComparer({ sql: db.sql, isolation: broken })
    for (let times = 0; times < 2; times++)
      await expect(compare(shortest(), longest())).rejects.toThrow('no process starts')
  })
})
