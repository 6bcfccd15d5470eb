import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { renderPage } from '../../src/collectors/fetch/render-page.ts'
import type { GetOutcome } from '../../src/lib/safe-fetch/safe-fetch.ts'

const PAGE = 'https://example.com/legal/terms'
const SCRIPT = `
  fetch('/api/terms').then((answer) => answer.text()).then((text) => { document.querySelector('#root').textContent = text })
  fetch('http://169.254.169.254/latest/meta-data').catch(() => {})
  fetch('/api/track', { method: 'POST', body: 'x' }).catch(() => {})
  new Image().src = 'https://tracker.example/pixel.png'
`
type Answers = Record<string, [type: string, body: string]>
const ANSWERS: Answers = {
  [PAGE]: [
    'text/html',
    '<!DOCTYPE html><html><body><div id="root"></div><script src="/app.js"></script></body></html>',
  ],
  'https://example.com/app.js': ['text/javascript', SCRIPT],
  'https://example.com/api/terms': ['text/plain', 'These terms were written in the browser.'],
}

function site(answers: Answers) {
  const requested: string[] = []
  const get = async (url: string): Promise<GetOutcome> => {
    requested.push(url)
    const [type, body] = answers[url] ?? []
    if (type === undefined) return { kind: 'failed', reason: 'private_address', message: 'not public', durationMs: 1 }
    const headers = { 'content-type': type }
    return { kind: 'answer', status: 200, headers, bytes: Buffer.from(body!), url, durationMs: 1 }
  }
  return { get, requested }
}

/** The browsers that this process started: Chromium is launched as the leader of a group of its own. */
const browsers = () => {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,ppid=,stat=,args='])
  return stdout
    .toString()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      ([, parent, state, command]) =>
        parent === String(process.pid) && !state?.startsWith('Z') && /chrom/.test(command ?? ''),
    )
}

// A browser starts in one second, and in many on a busy machine.
describe('a page that writes its text in the browser', { timeout: 180_000 }, () => {
  it('is rendered, and our own client makes every request, only to read', async () => {
    const { get, requested } = site(ANSWERS)
    const rendered = await renderPage(get, PAGE)
    expect(rendered).toMatchObject({ kind: 'page', status: 200 })
    const html = rendered.kind === 'page' ? rendered.html : ''
    expect(html).toContain('These terms were written in the browser.')
    expect(html).toMatch(/^<!DOCTYPE html><html>/)
    expect(requested).toContain('http://169.254.169.254/latest/meta-data')
    expect(requested.filter((url) => /track|pixel/.test(url))).toEqual([])
    expect(browsers()).toEqual([])
  })

  it('is left unread, with the reason, where there is no Chromium', async () => {
    const get = async (): Promise<GetOutcome> => ({ kind: 'platform', message: 'not requested' })
    expect(await renderPage(get, PAGE, { folders: ['/nowhere'] })).toEqual({
      kind: 'failed',
      problem: 'it needs a browser, and there is no Chromium',
      noBrowser: true,
    })
  })

  // A browser starts in one second; the page then does what it does for the rest of this time.
  const LIMIT_MS = 6_000
  const page = (script: string) => site({ [PAGE]: ['text/html', `<p>Terms.</p><script>${script}</script>`] }).get

  it.each([
    ['loops forever after it has loaded', `addEventListener('load', () => setTimeout(() => { for (;;); }, 50))`],
    ['loops forever while it loads', 'for (;;);'],
    ['opens dialogs without end', `addEventListener('load', () => { for (;;) alert('hello') })`],
    ['loads itself again and again', 'location.reload()'],
  ])('that %s is stopped at the deadline, and no browser is left', async (_what, script) => {
    const started = performance.now()
    expect(await renderPage(page(script), PAGE, { timeoutMs: LIMIT_MS })).toMatchObject({
      kind: 'failed',
      problem: expect.stringMatching(/not rendered within 6 s/),
    })
    expect(performance.now() - started).toBeLessThan(LIMIT_MS + 10_000)
    expect(browsers()).toEqual([])
  })

  it.each([
    [
      'is longer than what is read',
      `document.body.append('x'.repeat(11 * 1024 * 1024))`,
      /longer than 10485760 characters/,
    ],
    [
      'lies about its length',
      `Object.defineProperty(Element.prototype, 'outerHTML', { get: () => 'short' }); document.body.append('x'.repeat(11 * 1024 * 1024))`,
      /longer than/,
    ],
    [
      'fills memory without end',
      `addEventListener('load', () => { for (const kept = [];;) kept.push(new Uint8Array(64e6).fill(1)) })`,
      /memory|crash|not rendered|longer/,
    ],
    [
      'grows without end',
      `const grow = () => document.body.append('x'.repeat(11e6)); grow(); setInterval(grow, 5)`,
      /memory|crash|not rendered|longer/,
    ],
  ])('that %s is not brought over', async (_what, script, problem) => {
    expect(await renderPage(page(script), PAGE, { timeoutMs: 40_000 })).toMatchObject({
      kind: 'failed',
      problem: expect.stringMatching(problem),
    })
    expect(browsers()).toEqual([])
  })

  it('that waits for an answer which never comes is stopped when its reader is, and the next page is rendered', async () => {
    const abort = new AbortController()
    const never = (): Promise<GetOutcome> => new Promise(() => {})
    const first = renderPage(never, PAGE, { signal: abort.signal }).catch((error) => error)
    const second = renderPage(site(ANSWERS).get, PAGE)
    await expect.poll(() => browsers().length, { timeout: 60_000 }).toBe(1)
    abort.abort(new Error('shut down'))
    expect(await first).toMatchObject({ message: 'shut down' })
    expect(await second).toMatchObject({ kind: 'page' })
    expect(browsers()).toEqual([])
  })
})
