import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createVitest, type TestCase, type TestModule, type Vitest } from 'vitest/node'

/** What hangs is a failure. The slowest test that is tried takes less than half of it. */
const TIMEOUT_MS = 40_000

export type RunFile = { file: string; pattern?: RegExp }
type RanTest = { name: string; ms: number; passed: boolean }
export type RanFile = { file: string; ms: number; tests: RanTest[]; passed: boolean; error?: string }
export type TestRuns = Awaited<ReturnType<typeof testRuns>>

/** Test files of one tree, run to their ends. @param env what the processes of the tests see */
export async function testRuns(
  root: string,
  { env = {}, setup = [] }: { env?: Record<string, string>; setup?: string[] },
) {
  process.chdir(root)
  const active = pathToFileURL(join(root, 'test/mutants/derive/active.mjs')).href
  Object.assign(process.env, env, { NODE_OPTIONS: `--import ${active}` })
  let ended: (file: RanFile) => void = () => {}
  const onTestModuleEnd = (module: TestModule) => ended(ranFile(root, module))
  const vitest: Vitest = await createVitest('test', {
    root,
    watch: false,
    reporters: [{ onTestModuleEnd }],
    maxWorkers: 2,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    setupFiles: setup.map((file) => join(root, file)),
  })
  await vitest.standalone()
  return {
    /** The server of the tests, without a database. It starts with the first tests. */
    async postgres(): Promise<string> {
      const provided = () => vitest.getRootProject().getProvidedContext().postgres
      if (!provided()) await this.run([{ file: 'test/lib/collections.test.ts' }], () => {})
      return provided()
    },
    /** Calls `onEnd` as soon as a file has ended. */
    async run(files: RunFile[], onEnd: (file: RanFile) => void): Promise<void> {
      ended = onEnd
      const project = vitest.getRootProject()
      const specifications = files.map(({ file, pattern }) =>
        project.createSpecification(join(root, file), pattern && { testNamePattern: pattern }),
      )
      await vitest.runTestSpecifications(specifications)
    },
    async close(): Promise<void> {
      await vitest.close()
      // Whoever runs tests next in this process tries mutants, and records nothing.
      for (const name of Object.keys(env)) delete process.env[name]
    },
  }
}

function ranFile(root: string, module: TestModule): RanFile {
  const tests = [...module.children.allTests()].filter((test) => test.result().state !== 'skipped')
  const failed = tests.find((test) => test.result().state === 'failed')
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
  const { duration, setupDuration, collectDuration } = module.diagnostic()
  return {
    file: relative(root, module.moduleId),
    ms: Math.round(duration + setupDuration + collectDuration),
    tests: tests.map((test) => ({
      name: nameOf(test),
      ms: Math.round(test.diagnostic()?.duration ?? 0),
      passed: test.result().state === 'passed',
    })),
    passed: module.state() !== 'failed',
    error: (failed ? `${nameOf(failed)}: ${messageOf(failed)}` : errors[0]?.message)?.split('\n')[0],
  }
}

/** As the pattern of a run sees it. */
const nameOf = (test: TestCase): string => test.fullName.replaceAll(' > ', ' ')
const messageOf = (test: TestCase): string => test.result().errors?.[0]?.message ?? ''
