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
const ANSWERS: Record<string, [type: string, body: string]> = {
  [PAGE]: ['text/html', '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'],
  'https://example.com/app.js': ['text/javascript', SCRIPT],
  'https://example.com/api/terms': ['text/plain', 'These terms were written in the browser.'],
}

describe('a page that writes its text in the browser', () => {
  it('is rendered, and every request goes the one way out, only to read', { timeout: 90_000 }, async () => {
    const asked: string[] = []
    const get = async (url: string): Promise<GetOutcome> => {
      asked.push(url)
      const [type, body] = ANSWERS[url] ?? []
      if (type === undefined) return { kind: 'failed', reason: 'private_address', message: 'not public', durationMs: 1 }
      return {
        kind: 'answer',
        status: 200,
        headers: { 'content-type': type },
        bytes: Buffer.from(body!),
        url,
        durationMs: 1,
      }
    }
    const rendered = await renderPage(get, PAGE)
    expect(rendered).toMatchObject({ kind: 'page', status: 200 })
    expect(rendered.kind === 'page' && rendered.html).toContain('These terms were written in the browser.')
    expect(asked).toContain('http://169.254.169.254/latest/meta-data')
    expect(asked.filter((url) => /track|pixel/.test(url))).toEqual([])
  })

  it('is left unread, with the reason, where there is no Chromium', async () => {
    const get = async (): Promise<GetOutcome> => ({ kind: 'platform', message: 'not asked' })
    expect(await renderPage(get, PAGE, { folders: ['/nowhere'] })).toEqual({
      kind: 'failed',
      problem: 'it needs a browser, and there is no Chromium',
    })
  })
})
