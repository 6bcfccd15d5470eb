import './light-dom.ts'
import { TOTP } from 'otpauth'
import decodeQR from 'qr/decode.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { sessionEnded } from '../../src/web/api/connection/session-ended.ts'
import { addAccount, PASSWORD } from '../support/accounts.ts'
import { appServer } from '../support/app/app.ts'
import { createAuthenticator } from '../support/app/authenticator.ts'
import { testDatabase } from '../support/database.ts'
import { compareWithGolden, walk, walkOn } from './check-screen.ts'
import { openScreen, type Screen, useScreens } from './screen.tsx'

const db = testDatabase()
useScreens()
let server: Api
let own: Awaited<ReturnType<typeof addAccount>>
beforeAll(async () => {
  server = await appServer(db.sql)
})
afterAll(() => server.close())
beforeEach(async () => {
  await db.sql`truncate account, workspace cascade`
  own = await addAccount(db.sql, 'nora@example.com')
})
const open = (path: string, session?: string): Promise<Screen> => openScreen({ server, session }, path)
const signInLongAgo = () =>
  db.sql`update session set created_at = created_at - interval '1 h' where account_id = ${own.accountId}`

const password = { field: /^Your password/, text: PASSWORD }
/** What a device signs and a service makes up differs at every run. */
const known = (parts: string[]): string[] =>
  parts.map((part) =>
    part
      .replace(/"passkey":\{.*\}\}/, '"passkey":…}')
      .replace(/\b[A-Z2-7]{32}\b/g, '<key>')
      .replace(/"code":"\d{6}"|: \d{6}\b/g, (code) => code.replace(/\d{6}/, '<code>'))
      .replace(/[A-Z2-7]{4}(-[A-Z2-7]{4}){3}/g, '<recovery code>'),
  )

describe('a passkey', () => {
  type Request = { publicKey: { challenge: ArrayBuffer }; mediation?: string; signal: AbortSignal }
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  const text = (buffer: ArrayBuffer) => Buffer.from(buffer).toString('base64url')
  let authenticator: ReturnType<typeof createAuthenticator>
  /** What the browser was asked for, in its order. */
  let asked: string[]
  let refusal: string | undefined
  let mayAutofill: () => Promise<boolean>
  let hearsOfEnd: boolean
  /** Chooses the passkey among the suggestions of the address field. */
  let choose: () => void

  const shown = ({ id, response, ...more }: { id: string; response: object }) => ({
    ...{ ...more, id, rawId: bytes(id), getClientExtensionResults: () => ({}) },
    response: Object.fromEntries(
      Object.entries(response).map(([name, value]) => [name, typeof value === 'string' ? bytes(value) : value]),
    ),
  })
  function refuse(): void {
    if (refusal !== undefined) throw Object.assign(new Error('No.'), { name: refusal })
  }
  beforeEach(() => {
    authenticator = createAuthenticator()
    asked = []
    refusal = undefined
    mayAutofill = async () => false
    hearsOfEnd = true
    const isConditionalMediationAvailable = () => mayAutofill()
    Object.assign(globalThis, { PublicKeyCredential: Object.assign(class {}, { isConditionalMediationAvailable }) })
    const credentials = {
      create: async ({ publicKey }: Request & { publicKey: { user: { id: ArrayBuffer } } }) => {
        asked.push('make')
        refuse()
        const user = { ...publicKey.user, id: text(publicKey.user.id) }
        return shown(authenticator.make({ ...publicKey, challenge: text(publicKey.challenge), user } as never))
      },
      get: async ({ publicKey, mediation, signal }: Request) => {
        asked.push(mediation ?? 'use')
        if (mediation)
          await new Promise<void>((resolve, reject) => {
            choose = resolve
            signal.addEventListener('abort', () => {
              asked.push('end')
              if (hearsOfEnd) reject(signal.reason)
            })
          })
        refuse()
        return shown(authenticator.use({ ...publicKey, challenge: text(publicKey.challenge) } as never))
      },
    }
    Object.defineProperty(navigator, 'credentials', { configurable: true, value: credentials })
  })
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
    Reflect.deleteProperty(navigator, 'credentials')
    sessionEnded.signedIn()
    vi.restoreAllMocks()
  })
  const adding = ['Add a passkey', { field: /^Name/, text: 'Laptop' }, 'Continue']
  async function added(): Promise<void> {
    const screen = await open('/account', own.sessionToken)
    await walk(screen, adding)
    asked = []
  }
  /** Opens the sign-in, and waits until the browser was asked for this. */
  async function visit(...requests: string[]): Promise<Screen> {
    const screen = await open('/sign-in?next=/account')
    await vi.waitFor(() => expect(asked).toEqual(requests))
    screen.changes()
    return screen
  }

  it('is added, renamed and removed on the page of the account', async () => {
    const steps = [
      ...[...adding, 'Actions for Laptop', 'Rename', { field: /^Name/, text: 'Phone' }, 'Save'],
      ...['Actions for Phone', 'Remove', password, 'Remove'],
    ]
    await compareWithGolden('passkey', known((await walk(await open('/account', own.sessionToken), steps)).slice(1)))
    expect(asked).toEqual(['make'])
  })

  it('needs the password once the sign-in is too old, also where that happens before it is added', async () => {
    const screen = await open('/account', own.sessionToken)
    await screen.press('Add a passkey')
    await screen.type(/^Name/, 'Laptop')
    const reads = () => screen.reads().filter((path) => path === '/v1/account/passkeys').length
    reads()
    refusal = 'NotAllowedError'
    await screen.press('Continue')
    expect(screen.text()).toContain('Cancelled or timed out. Try again.')
    expect(reads()).toBe(0)
    refusal = undefined
    await signInLongAgo()
    await screen.press('Continue')
    expect(reads()).toBe(1)
    expect(screen.changes()).toEqual(Array(2).fill('POST /v1/account/passkeys/challenge {}'))
    const parts = await walk(screen, [password, 'Continue'])
    await compareWithGolden('passkey-of-an-old-sign-in', known(parts.slice(1)))
  })

  it('signs in with the button, unless the device is told not to', async () => {
    await added()
    const screen = await visit()
    refusal = 'AbortError'
    await screen.press('Sign in with a passkey')
    const parts = [screen.text()]
    refusal = 'NotAllowedError'
    await screen.press('Sign in with a passkey')
    parts.push(screen.text())
    screen.changes()
    refusal = undefined
    await screen.press('Sign in with a passkey')
    parts.push(`opens ${screen.address()}`, ...screen.changes())
    await compareWithGolden('passkey-sign-in', known(parts))
    expect(asked).toEqual(['use', 'use', 'use'])
  })

  it('signs in from the suggestions of the address field', async () => {
    await added()
    mayAutofill = async () => true
    const screen = await visit('conditional')
    choose()
    await screen.until('Sessions')
    expect(screen.address()).toBe('/account')
    expect(screen.changes().map((request) => request.split(' {')[0])).toEqual(['POST /v1/sessions/passkey'])
  })

  it('is suggested until the button asks for one, again when the device refused, and not when the service did', async () => {
    mayAutofill = async () => true
    const screen = await visit('conditional')
    refusal = 'NotAllowedError'
    await screen.press('Sign in with a passkey')
    await vi.waitFor(() => expect(asked).toEqual(['conditional', 'end', 'use', 'conditional']))
    refusal = undefined
    await screen.press('Sign in with a passkey')
    await screen.until('This passkey')
    await screen.press('Sign in with a passkey')
    expect(asked).toEqual(['conditional', 'end', 'use', 'conditional', 'end', 'use', 'use'])
  })

  it('is suggested with a new challenge before the last one expires, while the page is open', async () => {
    const [start, end] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')]
    mayAutofill = async () => true
    const screen = await visit('conditional')
    const started = start.mock.calls.findIndex(([, delay]) => delay === 240_000)
    start.mock.calls[started]![0]()
    await vi.waitFor(() => expect(asked).toEqual(['conditional', 'end', 'conditional']))
    const timer = start.mock.results[started]!.value
    expect(end).not.toHaveBeenCalledWith(timer)
    await screen.go('/sign-up', () => {})
    await vi.waitFor(() => expect(asked).toEqual(['conditional', 'end', 'conditional', 'end']))
    expect(end).toHaveBeenCalledWith(timer)
  })

  it('that is chosen after the page was left signs no one in', async () => {
    await added()
    mayAutofill = async () => true
    hearsOfEnd = false
    const screen = await visit('conditional')
    await screen.go('/sign-up', () => {})
    choose()
    await screen.go('/forgot-password', () => {})
    expect(screen.changes()).toEqual([])
  })

  it('is not asked for where the page is left before the browser says whether it suggests passkeys', async () => {
    let say = (_may: boolean) => {}
    mayAutofill = () =>
      new Promise((resolve) => {
        say = resolve
      })
    const screen = await visit()
    await screen.go('/sign-up', () => {})
    say(true)
    await screen.go('/forgot-password', () => {})
    expect(screen.changes()).toEqual([])
    expect(asked).toEqual([])
  })
})

/** What a camera reads of the picture on the page, four of its points for each module. */
function readPicture(): string {
  const svg = document.querySelector('svg[role="img"]')!
  const size = Number(svg.getAttribute('viewBox')!.split(' ')[3]) * 4
  const isWhite = svg.querySelector('rect[width="100%"][height="100%"]')?.getAttribute('fill') === '#fff'
  // What is around it is dark where someone chose that, and a camera tells dark from black no more.
  const data = new Uint8Array(size * size * 4).fill(isWhite ? 255 : 0)
  for (const [, x, y] of svg
    .querySelector('path')!
    .getAttribute('d')!
    .matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = Number(y) * 4; row < Number(y) * 4 + 4; row++)
      for (let at = (row * size + Number(x) * 4) * 4; at % (size * 4) < Number(x) * 16 + 16; at += 4)
        data.fill(0, at, at + 3)
  return decodeQR({ width: size, height: size, data })
}

describe('codes of an authenticator app', () => {
  it('are turned on with a code that the app read from the picture, asked for, and turned off', async () => {
    const screen = await open('/account', own.sessionToken)
    const parts = await walkOn(screen, ['Set up', password, 'Continue'])
    const uri = readPicture()
    expect(screen.text()).toContain(new URL(uri).searchParams.get('secret'))
    const code = new TOTP({ secret: new URL(uri).searchParams.get('secret')! }).generate()
    parts.push(...(await walkOn(screen, [{ field: /^Code/, text: code }, 'Turn on'])))
    // They are shown once.
    await screen.escape()
    const [first = '', second = ''] = [...document.querySelectorAll('code')].map((one) => one.textContent)
    parts.push(...(await walkOn(screen, ['I have saved them'])))
    const visitor = await open('/sign-in?next=/account')
    const other = await addAccount(db.sql, 'other@example.com')
    const byPassword = [
      { field: /^E-mail address/, text: own.email },
      { field: /^Password/, text: PASSWORD },
      'Sign in',
    ]
    parts.push(...(await walkOn(visitor, byPassword)))
    expect(visitor.focused()).toContain('Code')
    parts.push(
      ...(await walkOn(visitor, [
        ...[{ field: /^Code/, text: '12345' }, 'Sign in', { field: /^E-mail address/, text: other.email }],
        ...[{ field: /^E-mail address/, text: own.email }, 'Sign in', { field: /^Code/, text: first }, 'Sign in'],
      ])),
    )
    const again = await open('/account', own.sessionToken)
    parts.push(...(await walkOn(again, ['Turn off', password, { field: /^Code/, text: second }, 'Turn off'])))
    await compareWithGolden('codes', known(parts))
  })
})
