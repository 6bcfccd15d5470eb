import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { groupMemoryMb, usageOf } from '../../../src/lib/isolation/usage.ts'

const { platform } = process
const children: ChildProcess[] = []
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: platform })
  for (const { pid, exitCode, signalCode } of children.splice(0))
    if (exitCode === null && signalCode === null) process.kill(-pid!, 'SIGKILL')
})

const holds = (mb: number) => `
  const held = Buffer.alloc(${mb} * 1024 * 1024, 1)
  process.stdout.write('ready')
  setInterval(() => held, 60_000);`

/** A process in a group of its own that holds this much memory, when it has all of it. */
async function holding(mb: number, then = ''): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', holds(mb) + then], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  children.push(child)
  await once(child.stdout!, 'data')
  return child
}

it.each(['linux', 'darwin'])(
  'is what the system says of a process, as on %s, and nothing once that has ended',
  async (system) => {
    const child = await holding(
      200,
      `while (process.cpuUsage().user < 1_100_000) for (let i = 0; i < 1_000_000; i++);
       process.stdout.write('worked')`,
    )
    await once(child.stdout!, 'data')
    Object.defineProperty(process, 'platform', { value: system })
    const used = (await usageOf(child.pid!))!
    expect(used.memoryMb).toBeGreaterThan(200)
    expect(used.memoryMb).toBeLessThan(400)
    expect(used.cpuMs).toBeGreaterThanOrEqual(1_000)
    expect(used.cpuMs).toBeLessThan(60_000)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await usageOf(child.pid!)).toBeUndefined()
  },
)

it('is counted for all processes of a group, and for those alone', async () => {
  const another = `
    const stdio = ['ignore', 'inherit', 'ignore']
    require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(holds(150))}], { stdio })`
  const parent = await holding(100, another)
  await once(parent.stdout!, 'data')
  await holding(500)
  const memory = (await groupMemoryMb(parent.pid!))!
  expect(memory).toBeGreaterThan(250)
  expect(memory).toBeLessThan(450)
  process.kill(-parent.pid!, 'SIGKILL')
  await once(parent, 'exit')
  Object.defineProperty(process, 'platform', { value: 'darwin' })
  expect(await groupMemoryMb(parent.pid!)).toBeUndefined()
})
