import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withBrowser } from '../../../src/collectors/fetch/browser.ts'
import { findChromium, strictestLaunch } from '../../../src/collectors/fetch/find-browser.ts'
import { renderIn, renderPage } from '../../../src/collectors/fetch/render-page.ts'
import type { GetOutcome } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { extractHtml } from '../../../src/terms/extract/html.ts'
import { allowedMs } from '../../support/suite/allowed-time.ts'
import { ANSWERS, browsers, PAGE, site } from './sites.ts'

/** The features that Playwright turns off, and those that we turn off: Chromium obeys only the last list. */
const disabledFeatures = (command: string[]) =>
  command.filter((word) => word.startsWith('--disable-features=')).map((word) => word.split('=')[1]!.split(','))

// A browser starts in one second, and in many on a busy machine.
describe('a page that writes its text in the browser', () => {
  // A browser starts in one second; the page then does what it does for the rest of this time.
  const LIMIT_MS = 2_000

  it.each([
    ['loops forever after it has loaded', `addEventListener('load', () => setTimeout(() => { for (;;); }, 50))`],
    ['loops forever while it loads', 'for (;;);'],
    ['opens dialogs without end', `addEventListener('load', () => { for (;;) alert('hello') })`],
    ['loads itself again and again', 'location.reload()'],
  ])('that %s is stopped at the deadline, and no browser is left', async (_what, script) => {
    const started = performance.now()
    expect(await renderPage(page(script), PAGE, { timeoutMs: LIMIT_MS })).toMatchObject({
      kind: 'failed',
      problem: expect.stringMatching(/not rendered within 2 s/),
    })
    expect(performance.now() - started).toBeLessThan(LIMIT_MS + allowedMs(10_000))
    expect(browsers()).toEqual([])
  })

  it('that fills memory without end is stopped, and no browser is left', async () => {
    const fill = `addEventListener('load', () => { for (const kept = [];;) kept.push(new Uint8Array(64e6).fill(1)) })`
    expect(await renderPage(page(fill), PAGE, { timeoutMs: 40_000, maxMemoryMb: 600 })).toMatchObject({
      kind: 'failed',
      problem: expect.stringMatching(/memory|crash/),
    })
    expect(browsers()).toEqual([])
  })

  it('that waits for an answer which never comes is stopped when its reader is, and the next page is rendered', async () => {
    const abort = new AbortController()
    const never = (): Promise<GetOutcome> => new Promise(() => {})
    const first = renderPage(never, PAGE, { signal: abort.signal }).catch((error) => error)
    const second = renderPage(site(ANSWERS).get, PAGE)
    await expect.poll(() => browsers().length, { timeout: 60_000 }).toBe(1)
    const [all, chosen] = disabledFeatures(browsers()[0]!)
    expect(chosen).toEqual(expect.arrayContaining(all!))
    abort.abort(new Error('shut down'))
    expect(await first).toMatchObject({ message: 'shut down' })
    expect(await second).toMatchObject({ kind: 'page' })
    expect(browsers()).toEqual([])
  })
})

describe('the text of a rendered page', () => {
  let endpoint = ''
  let end = () => {}
  let browser: Promise<void>
  beforeAll(async () => {
    const launch = await strictestLaunch(findChromium()!)
    await new Promise<void>((started) => {
      const work = (address: string) => {
        endpoint = address
        started()
        return new Promise<void>((done) => {
          end = done
        })
      }
      browser = withBrowser(launch, { signal: new AbortController().signal }, work)
    })
  })
  afterAll(async () => {
    end()
    await browser
  })

  const render = async (body: string, maxLength?: number) => {
    const { get } = site({ [PAGE]: ['text/html', `<!DOCTYPE html><html lang="en"><body>${body}</body></html>`] })
    const { signal } = new AbortController()
    return await renderIn(endpoint, { get, url: PAGE, signal, maxLength })
  }
  /** The document as it is read from the rendered page. */
  const textOf = async (body: string) => {
    const rendered = await render(body)
    if (rendered.kind !== 'page') throw new Error(rendered.problem)
    return extractHtml(rendered.html, { select: ['main'], remove: [] }).markdown
  }

  it('has what shadow roots show, in its place, and those inside other shadow roots', async () => {
    const script = `
      const define = (name, content) => customElements.define(name, class extends HTMLElement {
        connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = content }
      })
      define('legal-text', '<style>p { color: red }</style><p>In a shadow root.</p><slot></slot><p>After it.</p>')
      define('legal-page', '<legal-text><slot name="clause"></slot></legal-text>')`
    const text = await textOf(
      `<main><p>Before.</p><legal-page><p slot="clause">In its slot.</p></legal-page></main><script>${script}</script>`,
    )
    expect(text.split('\n\n')).toEqual(['Before.', 'In a shadow root.', 'In its slot.', 'After it.'])
  })

  it('has the panels of tabs that are filled when they are opened, and of those that are hidden', async () => {
    const script = `
      const panel = document.querySelector('#filled')
      const texts = { one: 'The first part is about fees.', two: 'The second part is about liability.' }
      for (const tab of document.querySelectorAll('[role=tab]'))
        tab.addEventListener('click', () => { panel.textContent = texts[tab.id] })
      panel.textContent = texts.one`
    const tabs = `<button role="tab" id="one" aria-selected="true" aria-controls="filled">One</button>
      <button role="tab" id="two" aria-controls="filled">Two</button>`
    const text = await textOf(
      `<main>${tabs}<div role="tabpanel" id="filled"></div><div role="tabpanel" hidden>Short and hidden.</div></main><script>${script}</script>`,
    )
    expect(text.split('\n\n').toSorted()).toEqual([
      'Short and hidden.',
      'The first part is about fees.',
      'The second part is about liability.',
    ])
  })

  it('has folded parts that are written when they are opened, of which one is open at a time', async () => {
    const script = `
      const parts = [...document.querySelectorAll('h3 button')]
      for (const part of parts) part.addEventListener('click', () => {
        for (const other of parts) {
          other.setAttribute('aria-expanded', String(other === part))
          document.getElementById(other.getAttribute('aria-controls'))?.remove()
        }
        part.parentElement.insertAdjacentHTML('afterend', '<div id="' + part.getAttribute('aria-controls') + '">Text of ' + part.textContent + '.</div>')
      })`
    const part = (name: string) => `<h3><button aria-expanded="false" aria-controls="${name}">${name}</button></h3>`
    const text = await textOf(`<main>${part('fees')}${part('liability')}</main><script>${script}</script>`)
    expect(text).toContain('Text of fees.')
    expect(text).toContain('Text of liability.')
  })

  it('stays that of the page when a tab leads elsewhere', async () => {
    const text = await textOf(
      `<main><p>The terms.</p><button role="tab" onclick="location.href = '/elsewhere'">Other</button></main>`,
    )
    expect(text).toBe('The terms.')
  })

  it.each([
    ['is longer than what is read', `document.body.append('x'.repeat(30_000))`],
    [
      'lies about its length',
      `Object.defineProperty(Element.prototype, 'outerHTML', { get: () => 'short' }); document.body.append('x'.repeat(30_000))`,
    ],
  ])('is not brought over from a page that %s', async (_what, script) => {
    expect(await render(`<p>Terms.</p><script>${script}</script>`, 20_000)).toEqual({
      kind: 'failed',
      problem: 'its text is longer than 20000 characters',
    })
  })
})

const page = (script: string) => site({ [PAGE]: ['text/html', `<p>Terms.</p><script>${script}</script>`] }).get
