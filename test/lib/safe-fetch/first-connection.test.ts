import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connectToFirst } from '../../../src/lib/safe-fetch/dial/open-connection.ts'
import { ConnectError } from '../../../src/lib/safe-fetch/fault.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** Dials that end when they are told to, by address, and the signals they were given. */
function dials() {
  const begun: string[] = []
  const signals: AbortSignal[] = []
  const ends = new Map<string, { resolve: (socket: Socket) => void; reject: (error: Error) => void }>()
  const dial = ({ address }: { address: string }, port: number, signal: AbortSignal) => {
    begun.push(`${address} ${port}`)
    signals.push(signal)
    return new Promise<Socket>((resolve, reject) => ends.set(address, { resolve, reject }))
  }
  return { begun, signals, dial, end: (address: string) => ends.get(address)! }
}
const v4 = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }))
const v6 = (...addresses: string[]) => addresses.map((address) => ({ address, family: 6 }))
const settled = () => vi.advanceTimersByTimeAsync(0)
const never = new AbortController().signal

describe('of several addresses of a host', () => {
  it('six are tried at most, IPv4 and IPv6 by turns, and then all that failed is said', async () => {
    const tried: string[] = []
    const dial = (_to: { address: string }) => {
      tried.push(_to.address)
      return Promise.reject(new Error(_to.address))
    }
    const addresses = [...v6('b1', 'b2'), ...v4('a1', 'a2', 'a3', 'a4', 'a5')]
    const error = await connectToFirst(addresses, 443, never, dial).catch((reason) => reason)
    expect(error).toBeInstanceOf(ConnectError)
    expect(tried).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
    expect(error.errors.map(({ message }: Error) => message)).toEqual(tried)
  })

  it('the next is tried a second later beside one that does not answer, and the first to connect is used', async () => {
    const { begun, signals, dial, end } = dials()
    const connected = connectToFirst(v4('a', 'b', 'c'), 443, never, dial)
    await vi.advanceTimersByTimeAsync(999)
    expect(begun).toEqual(['a 443'])
    await vi.advanceTimersByTimeAsync(1)
    expect(begun).toEqual(['a 443', 'b 443'])
    const [used, late] = [new Socket(), new Socket()]
    end('b').resolve(used)
    expect(await connected).toBe(used)
    expect([used.destroyed, ...signals.map(({ aborted }) => aborted)]).toEqual([false, true, true])
    end('a').resolve(late)
    await vi.advanceTimersByTimeAsync(5_000)
    expect([late.destroyed, begun.length]).toEqual([true, 2])
  })

  it('the next is tried at once where one refuses, and the last that is still tried may connect', async () => {
    const { begun, dial, end } = dials()
    const connected = connectToFirst(v4('a', 'b'), 80, never, dial)
    await vi.advanceTimersByTimeAsync(1_000)
    end('b').reject(new Error('refused'))
    await settled()
    expect(begun).toEqual(['a 80', 'b 80'])
    const socket = new Socket()
    end('a').resolve(socket)
    expect(await connected).toBe(socket)
    const refused = dials()
    const next = connectToFirst(v4('a', 'b'), 80, never, refused.dial)
    refused.end('a').reject(new Error('refused'))
    await settled()
    expect(refused.begun).toEqual(['a 80', 'b 80'])
    refused.end('b').reject(new Error('refused too'))
    await expect(next).rejects.toThrow('refused; refused too')
  })

  it('no more are tried once it is stopped, and why is said last', async () => {
    const stop = new AbortController()
    const { begun, signals, dial, end } = dials()
    const connected = connectToFirst(v4('a', 'b', 'c'), 443, stop.signal, dial)
    end('a').reject(new Error('refused'))
    await settled()
    stop.abort(new Error('too late'))
    await expect(connected).rejects.toThrow('refused; too late')
    await vi.advanceTimersByTimeAsync(5_000)
    expect([begun, signals.every(({ aborted }) => aborted)]).toEqual([['a 443', 'b 443'], true])
    await expect(connectToFirst(v4('a'), 443, stop.signal, dial)).rejects.toThrow('too late')
    expect(begun).toHaveLength(2)
  })
})
