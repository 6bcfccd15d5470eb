import { join, relative } from 'node:path'
import { createVitest, type TestCase, type TestProject, type Vitest } from 'vitest/node'

/** A mutant that makes a test wait forever is found by this limit. */
const TEST_TIMEOUT_MS = 180_000

type Outcome = { ok: boolean; failed: string[] }
export type Runner = Awaited<ReturnType<typeof testRunner>>

/** Test files of one tree, run as often as wanted: their PostgreSQL server starts once, and unchanged code is not read again. */
export async function testRunner(root: string) {
  process.chdir(root)
  const vitest: Vitest = await createVitest('test', {
    root,
    watch: false,
    reporters: [{}],
    bail: 1,
    maxWorkers: 2,
    testTimeout: TEST_TIMEOUT_MS,
    hookTimeout: TEST_TIMEOUT_MS,
  })
  await vitest.standalone()
  return {
    /** Says that a file is another than when it was last read. */
    changed: (file: string) => vitest.invalidateFile(join(root, file)),
    /** Runs test files until the first test fails. */
    async run(files: string[]): Promise<Outcome> {
      const specifications = files.map((file) => projectOf(vitest, file).createSpecification(join(root, file)))
      const { testModules: all, unhandledErrors } = await vitest.runTestSpecifications(specifications)
      const run = new Set(specifications.map(({ moduleId }) => moduleId))
      const testModules = all.filter(({ moduleId }) => run.has(moduleId))
      const tests = testModules.flatMap((module) => [...module.children.allTests('failed')] as TestCase[])
      // A hook that fails belongs to its suite; a file that cannot be read has no suites.
      const broken = testModules
        .filter((module) => module.state() === 'failed')
        .map((module) => {
          const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
          return `${relative(root, module.moduleId)}: ${errors[0]?.message.split('\n')[0]}`
        })
      const failed = tests.length > 0 ? tests.map(sentenceOf) : broken
      const errors = unhandledErrors.map((error) => String((error as Error).message ?? error))
      return { ok: failed.length + errors.length === 0, failed: [...failed, ...errors] }
    },
    close: () => vitest.close(),
  }
}

/** The root project is none of those in which a changed file is read again. */
const projectOf = (vitest: Vitest, file: string): TestProject =>
  vitest.projects.find(({ name }) => name === (file.endsWith('.tsx') ? 'screens' : 'product'))!

const sentenceOf = (test: TestCase): string => {
  const [error] = test.result().errors ?? []
  return `${test.fullName}: ${error?.message.split('\n')[0]}`
}
