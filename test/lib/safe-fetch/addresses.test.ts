import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../../src/lib/safe-fetch/dial/addresses.ts'

const PUBLIC = `1.1.1.1 8.8.8.8 93.184.216.34 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0
  169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.167.255.255
  192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 203.0.112.255 223.255.255.255 168.63.129.15 168.63.129.17
  2606:4700:4700::1111 2001:4860:4860::8888 2001:200::1 64:ff9b::5db8:d822 64:ff9b::8.8.8.8 2001:1::1 2001:1::2
  2001:3::1 2001:4:112::1 2001:20::1 2a00:1450:4001:81b::200e 3fff:1000::1`

const NOT_PUBLIC = `0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255
  169.254.0.0 169.254.169.254 172.16.0.0 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.0
  192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.255 240.0.0.1
  255.255.255.255 100.100.100.200 168.63.129.16
  :: ::1 ::7f00:1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:7f00:1 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe
  64:ff9b::a00:1 64:ff9b:1::1 64:ff9b:0:1::1 100::1 2001::1 2001:0:53aa:64c::1 2001:2::1 2001:10::1 2001:1::3
  2001:db8::1 2002:7f00:1::1 2002:808:808::1 3fff::1 3fff:fff::1 5f00::1 fc00::1 fd00:ec2::254 fd20:ce::254 fe80::1
  fe80::5efe:7f00:1 feb0::1 fec0::1 ff02::1 4000::1 e000::1`

const NOT_ADDRESSES = [
  '',
  'example.com',
  '127.1',
  '0x7f.0.0.1',
  '2130706433',
  '010.0.0.1',
  'fe80::1%eth0',
  '2606:4700::1%1',
  '[::1]',
  '1.1.1.1/32',
  ' 1.1.1.1',
]

const list = (text: string) => text.trim().split(/\s+/)
const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
const hex = (a: number, b: number) => ((a << 8) | b).toString(16)

describe('an address is public when the whole internet can reach it', () => {
  test.each(list(PUBLIC))('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))
  test.each(list(NOT_PUBLIC))('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false))
  test.each(NOT_ADDRESSES)('%j is not an address, so not public', (text) => expect(isPublicAddress(text)).toBe(false))

  test('a NAT64 address has the verdict of the IPv4 address it leads to', () => {
    fc.assert(
      fc.property(octets, ([a, b, c, d]) => {
        expect(isPublicAddress(`64:ff9b::${hex(a, b)}:${hex(c, d)}`)).toBe(isPublicAddress(`${a}.${b}.${c}.${d}`))
      }),
      { numRuns: 1000 },
    )
  })

  test('no other IPv6 spelling of an IPv4 address is public', () => {
    fc.assert(
      fc.property(octets, ([a, b, c, d]) => {
        const v4 = `${hex(a, b)}:${hex(c, d)}`
        for (const spelling of [
          `::${v4}`,
          `::ffff:${v4}`,
          `::ffff:0:${v4}`,
          `2002:${v4}::1`,
          `64:ff9b:1::${v4}`,
          `fe80::5efe:${v4}`,
        ])
          expect(isPublicAddress(spelling)).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })

  test('outside 2000::/3 only NAT64 can be public, and every spelling of an address has one verdict', () => {
    fc.assert(
      fc.property(groups, (parts) => {
        const text = parts.map((part) => part.toString(16)).join(':')
        const full = parts.map((part) => part.toString(16).padStart(4, '0').toUpperCase()).join(':')
        expect(isPublicAddress(full)).toBe(isPublicAddress(text))
        if (parts[0]! >> 13 !== 1 && parts[0] !== 0x64) expect(isPublicAddress(text)).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })
})
