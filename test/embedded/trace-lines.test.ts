import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'
import { isTrace } from '../../src/embedded/process/trace-lines.ts'

const CRASHES = {
  'out of memory': ['--max-old-space-size=20', '-e', 'const a = []; for (;;) a.push(new Array(1000).fill(0.5))'],
  'an error that no one catches': ['-e', 'setTimeout(() => { throw new Error("boom", { cause: new Error("why") }) })'],
  'a module that is missing': ['--input-type=module', '-e', 'await import("/no/such/module.js")'],
}

it.each(Object.entries(CRASHES))('No stack of a Node process that ends with %s reaches a terminal', async (_, args) => {
  const printed = await new Promise<string>((resolve) =>
    execFile(process.execPath, args, (_error, _out, text) => resolve(text)),
  )
  const lines = printed.trimEnd().split('\n')
  const shown = lines.filter((line) => !isTrace(line))
  expect(lines.length).toBeGreaterThan(4)
  expect(shown.filter((line) => /\bat .*:\d+/.test(line))).toEqual([])
  expect(shown.length, shown.join('\n')).toBeLessThanOrEqual(3)
  expect(shown.join('\n')).toMatch(/^(FATAL ERROR: .*memory|.*Error.*: )/m)
})

it('Lines of the log are shown', () => {
  for (const line of ['10:00:01 WARN: Still waiting', '{"level":50,"msg":"x"}', 'Port 8080 is taken.'])
    expect(isTrace(line)).toBe(false)
})
