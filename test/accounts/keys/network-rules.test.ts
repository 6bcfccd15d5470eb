import { describe, expect, it } from 'vitest'
import { isWithin, MAX_NETWORKS, parsedNetworks, readNetworks } from '../../../src/accounts/keys/network-rules.ts'

describe('networks', () => {
  it('are stored as their first address and length, each once', () => {
    expect(
      readNetworks([
        ' 203.0.113.0/24',
        '203.0.113.7',
        '203.0.113.7/32',
        '0.0.0.0/0',
        '2001:DB8:0::/32',
        '::1',
        '::ffff:192.0.2.0/120',
      ]),
    ).toEqual(['203.0.113.0/24', '203.0.113.7/32', '0.0.0.0/0', '2001:db8::/32', '::1/128', '192.0.2.0/24'])
    expect(readNetworks([])).toEqual([])
  })

  it('are refused with what to write instead', () => {
    for (const [text, problem] of [
      ['203.0.113.7/24', 'write 203.0.113.0/24'],
      ['2001:db8::1/32', 'write 2001:db8::/32'],
      ['203.0.113.0/33', 'its length is 0 to 32'],
      ['2001:db8::/129', 'its length is 0 to 128'],
      ['203.0.113.0/', 'its length is'],
      ['203.0.113.0/-1', 'its length is'],
      ['203.0.113.0/24/1', 'is not a network'],
      ['example.com', 'is not a network'],
      ['3405803776', 'is not a network'],
      ['0x7f.1', 'is not a network'],
      ['10.1', 'is not a network'],
      ['010.0.0.0/8', 'is not a network'],
      ['192.168.010.0/24', 'is not a network'],
      ['fe80::1%eth0', 'is not a network'],
      ['', 'is not a network'],
    ] as const)
      expect(() => readNetworks([text])).toThrow(problem)
    const many = (count: number) => Array.from({ length: count }, (_, n) => `10.0.${n}.0/24`)
    expect(MAX_NETWORKS).toBe(50)
    expect(readNetworks(many(50))).toHaveLength(50)
    expect(() => readNetworks(many(51))).toThrow('must be at most 50 networks')
  })

  it('hold the addresses of their family, also written as IPv6 or with a port, and no client without an address', () => {
    const within = (network: string, ip: string) => isWithin(parsedNetworks([network]), ip)
    expect(within('203.0.113.0/24', '203.0.113.255')).toBe(true)
    expect(within('203.0.113.0/24', '203.0.114.0')).toBe(false)
    expect(within('203.0.113.0/24', '::ffff:203.0.113.9')).toBe(true)
    expect(within('203.0.113.0/24', '203.0.113.9:4711')).toBe(true)
    expect(within('2001:db8::/32', '[2001:db8::9]:443')).toBe(true)
    expect(within('2001:db8::/32', '2001:db9::9')).toBe(false)
    expect(within('0.0.0.0/0', '2001:db8::9')).toBe(false)
    expect(within('::/0', '203.0.113.9')).toBe(false)
    expect(within('0.0.0.0/0', 'unknown')).toBe(false)
    expect(isWithin([], '203.0.113.9')).toBe(false)
  })
})
