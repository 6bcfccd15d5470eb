import { describe, expect, it } from 'vitest'
import { readLocalAddresses, readProxyUrl } from '../../../src/lib/safe-fetch/egress-settings.ts'

describe('an outbound proxy', () => {
  it.each([
    ['http://proxy.example', { host: 'proxy.example', port: 80 }],
    ['http://proxy.example:3128/', { host: 'proxy.example', port: 3128 }],
    ['http://[::1]:3128', { host: '::1', port: 3128 }],
    [
      'http://us%40er:p%3Ass@proxy.example',
      { host: 'proxy.example', port: 80, authorization: 'Basic dXNAZXI6cDpzcw==' },
    ],
    ['http://user@proxy.example', { host: 'proxy.example', port: 80, authorization: 'Basic dXNlcjo=' }],
  ])('%s is reached, with an authorization only where a user is named', (text, proxy) => {
    expect(readProxyUrl(text)).toEqual(proxy)
  })

  it.each([
    ...['https://proxy.example', 'proxy.example:3128', 'http://proxy.example/path', 'http://proxy.example/?a=b'],
    ...['http://proxy.example/#a', 'http://%@proxy.example', 'http://a:%@proxy.example', 'http://'],
  ])('%s is refused', (text) => {
    expect(readProxyUrl(text)).toBeUndefined()
  })
})

describe('local addresses', () => {
  it.each([
    ['192.0.2.1', { v4: '192.0.2.1' }],
    ['2001:db8::1', { v6: '2001:db8::1' }],
    ['2001:db8::1, 192.0.2.1', { v4: '192.0.2.1', v6: '2001:db8::1' }],
  ])('%s are taken, one of a kind', (text, addresses) => {
    expect(readLocalAddresses(text)).toEqual(addresses)
  })

  it.each(['', '192.0.2.1,192.0.2.2', '2001:db8::1,2001:db8::2', 'host.example', '192.0.2.1,'])(
    '%s are refused',
    (text) => {
      expect(readLocalAddresses(text)).toBeUndefined()
    },
  )
})
