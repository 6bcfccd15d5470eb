import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startChild } from '../../src/embedded/process/child.ts'
import { exitText } from '../../src/embedded/process/exit-text.ts'
import { type KeptService, keepRunning, type Service } from '../../src/embedded/process/keep-running.ts'
import { restartDelay } from '../../src/embedded/process/start-again.ts'
import { OperatorError, PermanentError } from '../../src/lib/errors.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'

describe('a process that is kept running', () => {
  let folder: string
  let kept: KeptService<Service> | undefined
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line).msg) })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pricetape-kept-'))
    lines.length = 0
  })
  afterEach(async () => {
    await kept?.stop()
    await rm(folder, { recursive: true, force: true })
  })
  const shell = (script: string) => async () => {
    const { pid, exited, stop } = await startChild('/bin/sh', ['-c', script], { cwd: folder })
    return { pid, exited, stop }
  }

  it('waits half a second before it starts again, then twice as long each time, at most 30 seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 1_000].map(restartDelay)).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
    ])
  })

  it('is started again when it ends, with one line that says what ended, how, its last words and when', async () => {
    await writeFile(join(folder, 'starts'), '')
    kept = keepRunning('The thing', shell('echo x >> starts; echo "fatal: no disk" >&2; sleep 0.1; exit 3'), log)
    await kept.first
    await vi.waitFor(async () => expect(await readFile(join(folder, 'starts'), 'utf8')).toBe('x\nx\nx\n'), 10_000)
    await kept.stop()
    expect(lines.filter((line) => line.includes('ended'))).toEqual([
      'The thing ended (exit code 3: fatal: no disk). It is started again in 0.5 s.',
      'The thing ended for the 2nd time in a row (exit code 3: fatal: no disk). It is started again in 1 s.',
      ...lines.filter((line) => line.includes('3rd time')),
    ])
  })

  it('fails as a whole when its first start says what an operator has to change', async () => {
    kept = keepRunning('The thing', () => Promise.reject(new OperatorError('Install the program.')), log)
    await expect(kept.first).rejects.toThrow(new OperatorError('Install the program.'))
    expect(lines).toEqual([])
  })

  it('is started again when SIGKILL ends it before it was ever ready', async () => {
    await writeFile(join(folder, 'starts'), '')
    const script = 'echo x >> starts; [ "$(wc -l < starts)" -gt 2 ] && { touch ready; sleep 60; }; kill -KILL $$'
    const start = async () => {
      const service = await shell(script)()
      const isReady = () => access(join(folder, 'ready'))
      return { ...service, ready: vi.waitFor(isReady, { timeout: 30_000, interval: 20 }).then(() => {}) }
    }
    kept = keepRunning('The thing', start, log)
    await kept.first
    expect(kept.status()).toEqual({ up: true, restarts: 2 })
    expect(lines).toEqual([
      'The thing ended (SIGKILL). It is started again in 0.5 s.',
      'The thing ended for the 2nd time in a row (SIGKILL). It is started again in 1 s.',
    ])
  })

  it('is given up, by name and with what it said, when it ends by itself four times before it is ready', async () => {
    const ready = new Promise<void>(() => {})
    const exit = { code: 1, lines: ['Error: no such module', '    at load (/main.js:1:1)'] }
    const starts: number[] = []
    const start = async () => {
      starts.push(1)
      return { exited: Promise.resolve(exit), ready, stop: async () => {} }
    }
    kept = keepRunning('The thing', start, log)
    await expect(kept.first).rejects.toThrow(
      /^The thing ended 4 times before it was ready, the last time with exit code 1: Error: no such module\. Correct/,
    )
    expect(starts).toHaveLength(4)
  }, 30_000)

  it('is not started again when its end says that this would not help', async () => {
    const starts: number[] = []
    const start = async () => {
      const exit =
        starts.push(1) === 1
          ? { code: 1, lines: [] }
          : { code: 1, lines: [], refusal: { kind: 'permanent' as const, message: 'Set X to Y.' } }
      return { exited: Promise.resolve(exit), ready: Promise.resolve(), stop: async () => {} }
    }
    kept = keepRunning('The thing', start, log)
    await kept.first
    await expect(kept.refused).rejects.toThrow(new PermanentError('The thing does not run: Set X to Y.'))
    expect(starts).toHaveLength(2)
    expect(lines.filter((line) => line.includes('ended'))).toHaveLength(1)
  })

  it('ends within its grace when it ignores the request to stop', async () => {
    const start = async () => {
      const script = 'trap "" TERM; touch deaf; while :; do sleep 0.05; done'
      const child = await startChild('/bin/sh', ['-c', script], { cwd: folder, stop: [['SIGTERM', 300]] })
      return { exited: child.exited, stop: child.stop }
    }
    kept = keepRunning('The deaf', start, log)
    const service = await kept.first
    await vi.waitFor(() => access(join(folder, 'deaf')), 10_000)
    const began = Date.now()
    await kept.stop()
    expect((await service.exited).signal).toBe('SIGKILL')
    expect(Date.now() - began).toBeLessThan(allowedMs(5_000))
    expect(lines).toEqual([])
  })

  it('describes an exit by its signal or code and the line that names the error', () => {
    const json = '{"level":60,"msg":"The store is gone","err":{"message":"EIO"}}'
    expect(exitText({ signal: 'SIGKILL', lines: [] })).toBe('SIGKILL')
    expect(exitText({ code: 1, lines: ['Error: first', 'Node.js v20'] })).toBe('exit code 1: Error: first')
    expect(exitText({ code: 1, lines: [json] })).toBe('exit code 1: The store is gone: EIO')
  })
})
