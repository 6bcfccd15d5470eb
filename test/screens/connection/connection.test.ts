import { afterEach, describe, expect, it, vi } from 'vitest'
import { ConnectionError } from '../../../src/web/api/connection/client.ts'
import { connection, loadPart, watchNetwork } from '../../../src/web/api/connection/connection.ts'

describe('a connection', () => {
  afterEach(() => {
    connection.works()
    vi.unstubAllGlobals()
  })
  const lost = new ConnectionError({ cause: undefined })
  const missing = () => Promise.reject(new Error('gone'))

  it('is lost when a request got no answer, until another one gets one', () => {
    const heard: boolean[] = []
    const end = connection.subscribe(() => void heard.push(connection.isLost()))
    connection.notice(new Error('broken'))
    expect(connection.isLost()).toBe(false)
    connection.notice(lost)
    connection.notice(lost)
    connection.works()
    end()
    connection.notice(lost)
    expect(heard).toEqual([true, false])
  })

  it('is lost when the browser says so', () => {
    vi.stubGlobal('window', new EventTarget())
    watchNetwork()
    window.dispatchEvent(new Event('online'))
    expect(connection.isLost()).toBe(false)
    window.dispatchEvent(new Event('offline'))
    expect(connection.isLost()).toBe(true)
  })

  it('is lost when a part of the app cannot be loaded, nor anything else', async () => {
    const fetch = vi.fn(() => Promise.reject(new TypeError('fetch failed')))
    vi.stubGlobal('fetch', fetch)
    await expect(loadPart(missing)).rejects.toThrow(ConnectionError)
    expect(fetch.mock.calls).toEqual([['/icon.svg', { method: 'HEAD', cache: 'no-store' }]])
    expect(connection.isLost()).toBe(true)
  })

  it('is there when only a part of the app is gone', async () => {
    vi.stubGlobal('fetch', async () => new Response())
    await expect(loadPart(missing)).rejects.toThrow('gone')
    expect(await loadPart(async () => 'part')).toBe('part')
    expect(connection.isLost()).toBe(false)
  })
})
