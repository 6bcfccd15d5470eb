import type { Reporter, TestModule } from 'vitest/node'
import { groupBy } from '../../../src/lib/collections.ts'
import { isNeed, lacks, type Need } from './needs.ts'

const IN_TITLE = /\(needs ([^)]+)\)/

/** What a test that was skipped needs, by its title or that of a `describe` around it. */
export const needOf = (title: string): string | undefined => IN_TITLE.exec(title)?.[1]

/** Returns those of the skipped tests that this machine could have run, or that do not say what they need. */
export const unexplained = (titles: string[], isLacking = (need: Need) => lacks(need)): string[] =>
  titles.filter((title) => {
    const need = needOf(title)
    return need === undefined || !isNeed(need) || !isLacking(need)
  })

/** Counts what was skipped, by what it needs. In continuous integration a test that could have run fails the run. */
export default class SkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const titles = modules.flatMap((module) => [...module.children.allTests('skipped')].map((test) => test.fullName))
    const chosen = process.argv.some((argument) => argument === '-t' || argument.startsWith('--testNamePattern'))
    if (titles.length === 0 || chosen) return
    const counts = groupBy(titles, (title) => needOf(title) ?? 'nothing that its title names')
    const needs = [...counts].map(([need, tests]) => `${tests.length} need ${need}`)
    console.log(`Skipped: ${needs.join(', ')}.`)
    const wrong = unexplained(titles)
    if (wrong.length === 0) return
    console.log(['Skipped, though nothing that they need is missing here:', ...wrong].join('\n  '))
    if (process.env.CI) process.exitCode = 1
  }
}
