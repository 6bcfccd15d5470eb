import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConnections } from '../../../src/lib/safe-fetch/dial/connections.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const target = { kind: 'target', url: new URL('http://a.example/'), addresses: [{ address: '192.0.2.1', family: 4 }] }
const find = (connections: ReturnType<typeof createConnections>) => connections.find('w1', target as never)

test('an endpoint is kept while it is used, and forgotten 31 seconds after that, when nothing looks for it any more', () => {
  const connections = createConnections({})
  const endpoint = find(connections)
  endpoint.active = 1
  vi.advanceTimersByTime(93_000)
  expect(find(connections)).toBe(endpoint)
  endpoint.active = 0
  vi.advanceTimersByTime(30_999)
  expect(find(connections)).toBe(endpoint)
  vi.advanceTimersByTime(62_001)
  expect(vi.getTimerCount()).toBe(0)
  expect(find(connections)).not.toBe(endpoint)
  expect(vi.getTimerCount()).toBe(1)
  connections.close()
  expect(vi.getTimerCount()).toBe(0)
})
