import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newcomer, type Started, startUntilReady, untilGone } from '../support/installation.ts'
import { freePort } from '../support/ports.ts'
import { snippet, snippetsOf } from '../support/snippets.ts'

const ROOT = join(import.meta.dirname, '..', '..')

type Answer = { asOf: string; prices: { provider: string; resource: string; price: string; dimension: string }[] }

/** Whatever the start screen and the documentation print to be typed is typed, into a shell. */
describe('the examples run as printed', { timeout: 300_000 }, () => {
  let here: Awaited<ReturnType<typeof newcomer>>
  let running: Started
  let screen: string
  let key: string

  beforeAll(async () => {
    here = await newcomer()
    here.env.PRICETAPE_ALLOW_PRIVATE_ENDPOINTS = 'true'
    running = await startUntilReady(here.env)
    screen = running.said()
    key = /ptk_[\w-]+/.exec(screen)![0]
  })
  afterAll(async () => {
    await running.stop('SIGKILL')
    await untilGone(here.folder)
    await here.remove()
  })

  const shell = (script: string): ChildProcess =>
    spawn('bash', ['-ec', script], { cwd: ROOT, env: { ...here.env, PRICETAPE_API_KEY: key }, detached: true })
  const typed = async (script: string) => {
    const child = shell(script)
    let [out, all] = ['', '']
    child.stdout!.on('data', (chunk) => {
      out += chunk
      all += chunk
    })
    child.stderr!.on('data', (chunk) => {
      all += chunk
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(code, all).toBe(0)
    return out
  }
  /** The shell examples of a page, with what differs between installations filled in. */
  const blocks = async (page: string) => {
    const found = (await snippetsOf(page)).flatMap(({ language, text }) =>
      language === 'sh'
        ? [text.replaceAll('localhost:8080', `localhost:${here.env.PORT}`).replaceAll('ptk_…', key)]
        : [],
    )
    expect(found.length).toBeGreaterThan(0)
    return found
  }

  it('the start screen: what a model cost at two instants, and who sells it cheapest', async () => {
    const shown = screen.slice(screen.indexOf('KEY='), screen.indexOf('Looking for'))
    const commands = shown.split('\n').filter((line, n) => n === 0 || line.startsWith('    '))
    const addresses = /#token=/
    expect(
      screen.split('\n').filter((line) => line.length > 80 && !line.includes(here.folder) && !addresses.test(line)),
    ).toEqual([])
    const [then, now, ...cheapest] = (await typed(commands.join('\n'))).split('\n')
    const [before, after] = [then!, now!].map((text) => (JSON.parse(text) as Answer).prices)
    expect(before).toMatchObject([{ provider: 'google', resource: 'gemini-3.6-flash', dimension: 'output_tokens' }])
    expect([...before!, ...after!].map(({ price }) => price)).toEqual(['0.0000075', '0.00000375'])
    expect(screen).toContain('0.0000075 USD per output token until 2026-09-23, 0.00000375 now:')
    const [, provider, price] = /Of 1\d providers ([\w-]+) does, for ([\d.]+) USD:/.exec(screen)!
    expect(cheapest.join('\n')).toContain(`provider: '${provider}'`)
    expect(cheapest.join('\n')).toContain(`price: '${price}'`)
  })

  it('README, the first answer: the start screen says it', async () => {
    const printed = await snippet('README.md', 'What does gemini-3.6-flash cost at google?')
    for (const line of printed.split('\n').filter((line) => line.trim() !== '…')) expect(screen).toContain(line)
  })

  it('README, a request: the answer is the one printed', async () => {
    const [request] = await blocks('README.md')
    const printed = JSON.parse(await snippet('README.md', '"nextCursor": null'))
    expect(JSON.parse(await typed(request!))).toEqual(printed)
  })

  it('README, a webhook: a test event arrives and its signature is right', async () => {
    const block = (await blocks('README.md')).find((text) => text.includes('webhook create'))!
    const port = String(await freePort())
    const [create, receive, test] = block.replaceAll('9000', port).trim().split('\n')
    const made = await typed(create!)
    const secret = /whsec_[\w+/=]+/.exec(made)![0]
    const id = /[\da-f]{8}-[\da-f-]{27}/.exec(made)![0]
    // The page for receivers shows the same command.
    expect((await blocks('docs/receiving-webhooks.md'))[0]!.trim().replace('9000', port)).toBe(
      receive!.split('   ')[0]!.trim(),
    )
    const receiver = shell(`exec ${receive!.replace('whsec_…', secret)}`)
    let heard = ''
    for (const stream of [receiver.stdout!, receiver.stderr!])
      stream.on('data', (chunk) => {
        heard += chunk
      })
    try {
      await expect.poll(() => heard, { timeout: 60_000 }).toContain(port)
      expect(await typed(test!.replace('ID', id))).toContain('1 attempt made: 1 succeeded')
      expect(heard).toContain('webhook.test')
    } finally {
      process.kill(-receiver.pid!, 'SIGKILL')
    }
  })

  it('README, health', async () => {
    const block = (await blocks('README.md')).find((text) => text.includes('doctor'))!
    expect(await typed(block)).toContain('"status":"ready"')
  })

  it('docs/accounts.md: an account is created, signs in, and makes an API key', async () => {
    const [routes] = await blocks('docs/accounts.md')
    const token = /#token=([\w-]+)/.exec(screen)![1]!
    const filled = routes!
      .replace('TOKEN', token)
      .replaceAll('"password":"…"', '"password":"correct horse battery"')
      .replaceAll('"email":"…"', '"email":"olga@example.com"')
    const printed = await typed(`cd ${here.folder}\n${filled}`)
    const made = printed.slice(printed.lastIndexOf('ptk_') - 500)
    expect(made).toMatch(/"ptk_[\w-]{43}"/)
    expect(made).toContain('"ci"')
  })

  it('docs/reading-prices.md', async () => {
    const [json, csv] = await blocks('docs/reading-prices.md')
    expect(JSON.parse(await typed(json!))).toMatchObject({ prices: [expect.any(Object), expect.any(Object)] })
    const file = join(here.folder, 'prices.csv')
    await typed(csv!.replace('prices.csv', file))
    expect((await readFile(file, 'utf8')).split(',').slice(0, 3)).toEqual(['provider', 'source', 'resource'])
  })
})
