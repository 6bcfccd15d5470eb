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

it('An error at a terminal has its stack only where a person asked for it; in JSON it always has', () => {
  const errorIn = (level: string, format: 'json' | 'text') => {
    const written: string[] = []
    const log = createLog(level, format, { write: (line: string) => void written.push(line) })
    log.error({ err: new Error('it failed', { cause: new Error('the deeper one') }) }, 'failed')
    return (JSON.parse(written.join('')) as { err: { stack?: string; cause: { stack?: string } } }).err
  }
  const without = { name: 'Error', message: 'it failed', cause: { name: 'Error', message: 'the deeper one' } }
  expect(errorIn('info', 'text')).toEqual(without)
  for (const [level, format] of [
    ['debug', 'text'],
    ['trace', 'text'],
    ['info', 'json'],
  ] as const) {
    const { stack, cause } = errorIn(level, format)
    expect([stack, cause.stack], `${level} ${format}`).toEqual([expect.any(String), expect.any(String)])
  }
})

it.each(['authorization', 'cookie', 'key', 'password', 'secret', 'session', 'sessionToken', 'token', 'url'])(
  'A line holds nothing that is called %s',
  (name) => {
    const written: string[] = []
    const log = createLog('info', 'json', { write: (line: string) => void written.push(line) })
    log.info({ [name]: 'abcdefgh', kept: 'this', ...(name !== 'url' && { of: { [name]: 'abcdefgh' } }) }, 'said')
    expect(JSON.parse(written.join(''))).toMatchObject({ [name]: '[redacted]', kept: 'this' })
    expect(written.join('')).not.toContain('abcdefgh')
  },
)
