import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { AppError } from '../../src/lib/errors.ts'
import { checkUrl } from '../../src/lib/safe-fetch/check-url.ts'
import { isPublicAddress } from '../../src/lib/safe-fetch/dial/addresses.ts'
import { checkWebhookUrl } from '../../src/webhooks/subscriptions/check-webhook-url.ts'
import { closeAll, hook, strictClient } from './support.ts'

afterEach(closeAll)
const rules = { schemes: ['https:' as const], allowPrivate: false }
const found = async () => ({ kind: 'addresses' as const, addresses: [{ address: '1.1.1.1', family: 4 }] })

const REFUSED: [string, RegExp][] = [
  ['http://hooks.example.com/', /begin with https/],
  ['ftp://hooks.example.com/', /begin with https/],
  ['javascript:alert(1)', /begin with https/],
  ['hooks.example.com/path', /not a URL/],
  ['', /not a URL/],
  ['https://', /not a URL/],
  ['https://hooks.example.com:8443/', /Port 8443/],
  ['https://hooks.example.com:80/', /Port 80/],
  ['https://user@hooks.example.com/', /user name/],
  ['https://user:secret@hooks.example.com/', /user name/],
  // An empty user name is one that parsing drops: what is stored and shown would not be what was written.
  ['https://@hooks.example.com/', /user name/],
  ['https://:@hooks.example.com/', /user name/],
  ['https://:secret@hooks.example.com/', /user name/],
  ['https:///:secret@hooks.example.com/', /user name/],
  ['https://@@hooks.example.com/', /user name/],
  ['https://hooks.example.com:443@hooks.example.org/', /user name/],
  ['https://%40@hooks.example.com/', /user name/],
  ['https://@hooks.example.com', /user name/],
  ['https://@hooks.example.com?to=me', /user name/],
  ['https://hooks.example.com\\@hooks.example.org/', /backslash.*user name/],
  ['https://hooks.example.com\t@hooks.example.org/', /space.*user name/],
  ['https://\u0000@hooks.example.com/', /control character.*user name/],
  ['https://hooks.example.com%40hooks.example.org/', /not a URL/],
  ['https://hooks.example.com\uff20hooks.example.org/', /not a URL/],
  ['https://hooks.example.com\uff0f@hooks.example.org/', /user name/],
  ['https://hooks.example.com\u2044@hooks.example.org/', /user name/],
  ['https:hooks.example.com/', /two slashes/],
  ['https:/hooks.example.com/', /two slashes/],
  ['https:///hooks.example.com/', /two slashes/],
  ['https:@hooks.example.com/', /two slashes/],
  ['https:\\\\@hooks.example.com/', /backslash/],
  ['//hooks.example.com/', /not a URL/],
  ['https://hooks.example.com/#part', /fragment/],
  ['https://hooks.example.com/#', /fragment/],
  ['https://93.184.216.34/', /IP address/],
  ['https://2130706433/', /IP address/],
  ['https://0x7f.1/', /IP address/],
  ['https://0177.0.0.1/', /IP address/],
  ['https://①②⑦.0.0.1/', /IP address/],
  ['https://%31%32%37.0.0.1/', /IP address/],
  ['https://127.0.0.1./', /IP address/],
  ['https://[::1]/', /IP address/],
  ['https://[::ffff:127.0.0.1]/', /IP address/],
  ['https://[2606:4700::1111]/', /IP address/],
  ['https://localhost/', /local name/],
  ['https://LOCALHOST/', /local name/],
  ['https://kubernetes/', /local name/],
  ['https://db.internal/', /local name/],
  ['https://printer.local/', /local name/],
  ['https://router.home.arpa/', /local name/],
  ['https://api.localhost/', /local name/],
  ['https://hooks.example.com./', /dot at the end/],
  ['https://hooks.test/', /No public host name/],
  ['https://shop.onion/', /No public host name/],
  ['https://-hooks.example.com/', /not a host name/],
  ['https://hooks..example.com/', /not a host name/],
  [`https://${'a'.repeat(64)}.example.com/`, /not a host name/],
  [`https://${'a.'.repeat(130)}com/`, /not a host name/],
  ['https://hooks.example.c/', /not a host name/],
  [' https://hooks.example.com/', /space/],
  ['https://hooks.exam\tple.com/', /space/],
  ['https://hooks.example.com/a\nb', /space/],
  ['https:\\\\hooks.example.com\\', /backslash/],
  [`https://hooks.example.com/${'a'.repeat(2048)}`, /longer than/],
]

describe('an endpoint’s URL is checked when it is saved', () => {
  test.each(REFUSED)('%j is refused with what to change', async (url, message) => {
    const error = await checkWebhookUrl(url, { allowPrivate: false, resolve: found }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({
      code: 'invalid_url',
      field: 'url',
      status: 400,
      message: expect.stringMatching(message),
    })
  })

  test.each(REFUSED.filter(([url]) => url !== ''))('and again at every delivery: %j', async (url) => {
    const safe = await strictClient(['1.1.1.1'])
    expect(await safe.post(url, hook)).toMatchObject({ kind: 'failed', reason: 'invalid_url' })
    expect(safe.asked).toEqual([])
  })

  test.each([
    [
      'http://ann:secret@localhost:3000/hook#part',
      [/begin with https/, /Port 3000/, /local name/, /user name/, /fragment/],
    ],
    [' http://127.0.0.1:8080/', [/contains a space/, /begin with https/, /Port 8080/, /IP address/]],
    ['http://hooks.example.com:8080/', [/begin with https/, /Port 8080/, /does not exist in public DNS/]],
  ])('%j breaks several rules, and all of them are named at once', async (url, messages) => {
    const { resolve } = await strictClient('NXDOMAIN')
    const error = await checkWebhookUrl(url, { allowPrivate: false, resolve }).catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'invalid_url', field: 'url' })
    for (const message of messages) expect(error.message).toMatch(message)
  })

  test('an address with letters beyond ASCII is one also when many were checked before it', () => {
    const rules = { schemes: ['https:' as const], allowPrivate: false }
    // So often that the engine compiles what it calls: Node 20 then reads these letters wrong in URL.canParse.
    for (let n = 0; n < 30_000; n++)
      if (!checkUrl('https://bücher.example.com/', rules).ok) throw new Error(`refused at call ${n}`)
  })

  test.each([
    ['https://hooks.example.com', 'https://hooks.example.com/'],
    ['HTTPS://Hooks.Example.COM:443/A?b=c%20d&e=é', 'https://hooks.example.com/A?b=c%20d&e=%C3%A9'],
    ['https://bücher.example.com/', 'https://xn--bcher-kva.example.com/'],
    ['https://under_score.example.com/', 'https://under_score.example.com/'],
    ['https://例え.みんな/', 'https://xn--r8jz45g.xn--q9jyb4c/'],
    ['https://1password.com/', 'https://1password.com/'],
    ['https://hooks.example.com/@team?from=a@b.example', 'https://hooks.example.com/@team?from=a@b.example'],
    ['https://hooks.example.com?from=a@b.example', 'https://hooks.example.com/?from=a@b.example'],
  ])('%s is allowed, stored as %s', async (text, stored) => {
    expect((await checkWebhookUrl(text, { allowPrivate: false, resolve: found })).href).toBe(stored)
  })

  test.each([
    ['a name no one has', 'NXDOMAIN' as const, /does not exist in public DNS/, 'invalid_url'],
    ['a private address', ['10.0.0.1'], /resolves to 10\.0\.0\.1.*from the internet/, 'invalid_url'],
    ['one private address of two', ['1.1.1.1', '::1'], /resolves to ::1/, 'invalid_url'],
    [
      'name servers that fail',
      ({ name }: { name: string }) => (name === '.' ? [] : ('SERVFAIL' as const)),
      /Check its name servers/,
      'invalid_url',
    ],
    ['no answer from our own resolver', 'REFUSED' as const, /Try again/, 'unavailable'],
  ])('a host with %s is refused', async (_what, says, message, code) => {
    const { resolve } = await strictClient(says as string[])
    const check = checkWebhookUrl('https://hooks.example.com/', { allowPrivate: false, resolve })
    await expect(check).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('in development any http or https URL will do, but nothing that is not one', async () => {
    const check = (url: string) => checkWebhookUrl(url, { allowPrivate: true, resolve: found })
    for (const url of ['http://127.0.0.1:9000/hook', 'http://localhost:3000/', 'https://[::1]:8443/'])
      expect((await check(url)).href).toBe(url)
    for (const url of ['ftp://localhost/', 'localhost:3000', 'http://user@localhost/', 'http://localhost/#x'])
      await expect(check(url)).rejects.toMatchObject({ code: 'invalid_url' })
  })
})

test('no text at all passes for a URL whose host is an address or has a port, credentials or fragment', () => {
  const part = fc.oneof(
    fc.webAuthority({ withIPv4: true, withIPv6: true, withUserInfo: true, withPort: true }),
    fc.string(),
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6().map((ip) => `[${ip}]`),
  )
  fc.assert(
    fc.property(
      fc.constantFrom('https://', 'https:', 'https:///', 'HTTPS://', 'http://'),
      part,
      fc.string(),
      (scheme, host, rest) => {
        const checked = checkUrl(`${scheme}${host}/${rest}`, rules)
        if (!checked.ok) return
        const { url } = checked
        expect([url.protocol, url.port, url.username, url.password, url.hash]).toEqual(['https:', '', '', '', ''])
        expect(isPublicAddress(url.hostname)).toBe(false) // a name, not an address
        expect(url.hostname).toMatch(/^[a-z0-9_.-]+\.(?:[a-z]{2,}|xn--[a-z0-9-]+)$/)
        expect(new URL(url.href).href).toBe(url.href)
      },
    ),
    { numRuns: 1000 },
  )
})
