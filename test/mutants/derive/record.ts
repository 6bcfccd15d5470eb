import { afterAll, afterEach, beforeAll, beforeEach, expect, type TestContext } from 'vitest'

declare global {
  var activeMutant: number
  var reachedPlaces: Set<number>
  var notePlaces: (reachedBy: ReachedBy) => void
}
/** A test, or what a file does before and after its tests. */
export type ReachedBy = { file: string; test?: string }

/** Set up in front of each test file: which places its tests reach, and which its hooks. */
let file = ''
const byHooks = new Set<number>()

const keepForHooks = (): void => {
  for (const place of globalThis.reachedPlaces) byHooks.add(place)
  globalThis.reachedPlaces.clear()
}
const testOf = ({ task }: TestContext): ReachedBy => ({ file: task.file.filepath, test: fullNameOf(task) })

beforeAll(() => {
  globalThis.reachedPlaces.clear()
  process.env.PRICETAPE_REACHED_BY = JSON.stringify({ file: expect.getState().testPath })
})
beforeEach((context) => {
  keepForHooks()
  file = context.task.file.filepath
  process.env.PRICETAPE_REACHED_BY = JSON.stringify(testOf(context))
})
afterEach((context) => globalThis.notePlaces(testOf(context)))
afterAll(() => {
  keepForHooks()
  for (const place of byHooks) globalThis.reachedPlaces.add(place)
  globalThis.notePlaces({ file })
})

type NamedTask = { name: string; suite?: NamedTask }
const fullNameOf = ({ name, suite }: NamedTask): string => (suite?.name ? `${fullNameOf(suite)} ${name}` : name)
