import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const FILE = join(import.meta.dirname, 'times.json')
/** Shorter ones are all alike. */
const LEAST_SECONDS = 1

/**
 * Where PRICETAPE_TEST_TIMES is set, writes what each file took into `times.json`, from which `LongestFirst` takes the
 * order. A loaded machine takes longer for all of them: only their order counts.
 */
export default class RecordTimes implements Reporter {
  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    if (!process.env.PRICETAPE_TEST_TIMES) return
    const known = JSON.parse(await readFile(FILE, 'utf8')) as Record<string, number>
    for (const module of modules) {
      const { duration, collectDuration, setupDuration, prepareDuration } = module.diagnostic()
      const seconds = (duration + collectDuration + setupDuration + prepareDuration) / 1_000
      const name = module.moduleId.slice(module.moduleId.lastIndexOf('/test/') + 1)
      if (seconds >= LEAST_SECONDS) known[name] = Math.round(seconds)
      else known[name] = 0
    }
    const ordered = Object.entries(known).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    await writeFile(FILE, `${JSON.stringify(Object.fromEntries(ordered), undefined, 2)}\n`)
  }
}
