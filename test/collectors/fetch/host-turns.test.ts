import { expect, it } from 'vitest'
import { inTurn } from '../../../src/collectors/fetch/host-turns.ts'

/** A request that ends when it is told to, and notes when it begins. */
function requests() {
  const begun: string[] = []
  const ends = new Map<string, (how: Promise<string>) => void>()
  const start = (name: string, url: string, spacingMs = 0) =>
    inTurn(url, () => {
      begun.push(name)
      return new Promise<string>((resolve) => ends.set(name, resolve))
    }, spacingMs) // biome-ignore format: one thing after another
  const end = (name: string, how: Promise<string> = Promise.resolve(name)) => ends.get(name)!(how)
  return { begun, start, end }
}
const moment = () => new Promise((done) => setTimeout(done, 5))

it('one host is asked for one thing at a time, in order, and another host beside it', async () => {
  const { begun, start, end } = requests()
  const first = start('first', 'https://one.example/a')
  const second = start('second', 'https://one.example/b?x=1')
  const other = start('other', 'https://other.example/a')
  const port = start('port', 'https://one.example:8443/a')
  await moment()
  expect(begun).toEqual(['first', 'other', 'port'])
  end('first')
  expect(await first).toBe('first')
  await expect.poll(() => begun).toEqual(['first', 'other', 'port', 'second'])
  for (const name of ['second', 'other', 'port']) end(name)
  expect(await Promise.all([second, other, port])).toEqual(['second', 'other', 'port'])
})

it('the next request to a host waits for the pause after the one before, also after one that failed', async () => {
  const { begun, start, end } = requests()
  const failing = start('failing', 'https://paused.example/', 60)
  const next = start('next', 'https://paused.example/')
  await moment()
  const ended = performance.now()
  end('failing', Promise.reject(new Error('it broke')))
  await expect(failing).rejects.toThrow('it broke')
  await moment()
  expect(begun).toEqual(['failing'])
  await expect.poll(() => begun, { interval: 2 }).toEqual(['failing', 'next'])
  expect(performance.now() - ended).toBeGreaterThan(55)
  end('next')
  await next
})
