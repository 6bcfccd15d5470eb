import { Writable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { progressTo } from '../../../src/lib/process/progress.ts'

const WIPE = '\r\u001b[2K'

/** A terminal or a file, and what was written to it since this was asked last. */
function output(more: { isTTY?: true; columns?: number }) {
  const written: string[] = []
  const write = (text: Buffer, _: string, done: () => void) => {
    written.push(text.toString())
    done()
  }
  const out = Object.assign(new Writable({ write }), more) as unknown as NodeJS.WriteStream
  return { progress: progressTo(out), written: () => written.splice(0) }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a terminal shows each passing line in the place of the one before, and lines that stay below each other', () => {
  const { progress, written } = output({ isTTY: true, columns: 6 })
  progress.say('first')
  expect(written()).toEqual(['first\n'])
  progress.passing('12345')
  expect(written()).toEqual(['12345'])
  progress.passing('1234567')
  expect(written()).toEqual([WIPE, '12345'])
  progress.say('second')
  expect(written()).toEqual([WIPE, 'second\n'])
  progress.say('third')
  expect(written()).toEqual(['third\n'])
})

it('a terminal that does not say how wide it is has 80 columns', () => {
  const { progress, written } = output({ isTTY: true })
  progress.passing('x'.repeat(100))
  expect(written()).toEqual(['x'.repeat(79)])
})

it('a file has a passing line no more often than every 15 seconds', () => {
  const { progress, written } = output({})
  progress.say('first')
  vi.advanceTimersByTime(15_000)
  progress.passing('too soon')
  expect(written()).toEqual(['first\n'])
  vi.advanceTimersByTime(1)
  progress.passing('x'.repeat(100))
  progress.passing('too soon')
  expect(written()).toEqual([`${'x'.repeat(100)}\n`])
  vi.advanceTimersByTime(15_001)
  progress.passing('again')
  expect(written()).toEqual(['again\n'])
})
