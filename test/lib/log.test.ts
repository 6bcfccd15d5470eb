import { afterEach, expect, it } from 'vitest'
import { createLog } from '../../src/lib/log.ts'

const isTerminal = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY')
afterEach(() => {
  if (isTerminal) Object.defineProperty(process.stderr, 'isTTY', isTerminal)
  else Reflect.deleteProperty(process.stderr, 'isTTY')
})

/** What one line holds, where nothing says how lines are to look. */
function lineAt(isTTY: boolean | undefined): Record<string, unknown> {
  Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true })
  const written: string[] = []
  createLog('info', undefined, { write: (line: string) => void written.push(line) }).info('started')
  return JSON.parse(written.join('')) as Record<string, unknown>
}

it('Lines say which process of which machine wrote them, unless a person reads them at a terminal', () => {
  expect(lineAt(undefined)).toMatchObject({ msg: 'started', pid: process.pid, hostname: expect.any(String) })
  expect(lineAt(true)).toEqual({ level: 30, time: expect.any(Number), msg: 'started' })
})
