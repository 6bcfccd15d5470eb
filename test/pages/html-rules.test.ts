import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { html, trusted } from '../../src/pages/html-rules.ts'
import { errorPage, HTML_TYPE, PAGE_POLICY, page } from '../../src/pages/layout-rules.ts'

const styleOf = (text: string): string => /<style>(.*)<\/style>/s.exec(text)![1]!

describe('markup', () => {
  it('shows every text as text, wherever it came from', () => {
    const hostile = `<a href="x" title='y'>&amp;</a>`
    expect(html`<p>${hostile}</p>`.markup).toBe(
      '<p>&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;</p>',
    )
  })

  it('is made of texts, numbers, other markup, lists of these, and nothing', () => {
    expect(html`${1}-${0}-${undefined}-${''}`.markup).toBe('1-0--')
    expect(html`<ul>${[html`<li>${'<'}</li>`, 'b&', 3, [html`<br>`]]}</ul>`.markup).toBe(
      '<ul><li>&lt;</li>b&amp;3<br></ul>',
    )
    expect(html`same`.markup).toBe('same')
  })

  it('of our own stays as it is', () => {
    expect(html`<style>${trusted('a > b { content: "&" }')}</style>`.markup).toBe(
      '<style>a > b { content: "&" }</style>',
    )
  })
})

describe('a page', () => {
  const text = page('Terms & <others>', html`<h1>Terms</h1>`).toString()

  it('is a document in English that adapts to a telephone, with the app’s bar, its title as text and a link past the bar', () => {
    expect(text.replace(styleOf(text), '')).toBe(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Terms &amp; &lt;others&gt;</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style></style>
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
<header class="bar"><div><a class="mark" href="/"><img src="/icon.svg" alt="" width="28" height="28">Pricetape</a>
<nav aria-label="Pages"><a href="/">What changed</a><a href="/prices">Prices</a><a href="/documents" aria-current="true">Documents</a><a href="/docs">API reference</a></nav><a class="button" href="/sign-in">Sign in</a></div></header>
<main id="main"><h1>Terms</h1></main>
<footer><p>Recorded by Pricetape. The texts are their providers’.</p></footer>
</body>
</html>
`)
    expect(HTML_TYPE).toBe('text/html; charset=utf-8')
  })

  it('may load nothing but its own style and the sign of the product, be in no frame, and send its forms to no one else', () => {
    const hash = createHash('sha256').update(styleOf(text)).digest('base64')
    expect(PAGE_POLICY.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "img-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ])
    expect(styleOf(text).length).toBeGreaterThan(1_000)
  })

  it('says why another cannot be shown', () => {
    const error = errorPage('Not found', 'There is no <such> page.').toString()
    expect(error).toContain('<title>Not found · Pricetape</title>')
    expect(error).toContain(
      '<main id="main"><h1>Not found</h1><p class="lead">There is no &lt;such&gt; page.</p></main>',
    )
  })
})
