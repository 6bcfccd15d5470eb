import { describe, expect, it } from 'vitest'
import { renderPage } from '../../../src/collectors/fetch/render-page.ts'
import type { GetOutcome } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { ANSWERS, browsers, PAGE, site } from './sites.ts'

// A browser starts in one second, and in many on a busy machine.
describe('a page that writes its text in the browser', () => {
  it('is rendered, and our own client makes every request, only to read', async () => {
    const { get, requested } = site(ANSWERS)
    const rendered = await renderPage(get, PAGE)
    expect(rendered).toMatchObject({ kind: 'page', status: 200 })
    const html = rendered.kind === 'page' ? rendered.html : ''
    expect(html).toContain('These terms were written in the browser.')
    expect(html).toMatch(/^<!DOCTYPE html><html>/)
    const allowed = [PAGE, 'https://example.com/app.js', 'https://example.com/api/terms']
    expect(requested.sort()).toEqual(['http://169.254.169.254/latest/meta-data', ...allowed].sort())
    expect(browsers()).toEqual([])
  })

  it('is left unread, with the reason, where there is no Chromium', async () => {
    const get = async (): Promise<GetOutcome> => ({ kind: 'platform', message: 'not requested' })
    expect(await renderPage(get, PAGE, { browsers: ['/nowhere/chromium'] })).toEqual({
      kind: 'failed',
      problem: 'it needs a browser, and there is no Chromium',
      noBrowser: true,
    })
  })
})
