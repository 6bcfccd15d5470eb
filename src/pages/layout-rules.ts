import { createHash } from 'node:crypto'
import { type Html, html, trusted } from './html-rules.ts'
import { PAGE_STYLE } from './page-style.ts'

export const HTML_TYPE = 'text/html; charset=utf-8'

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64')

/** No script, no picture from elsewhere, no frame; forms lead back to the page itself. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Returns a whole page. */
export function page(title: string, main: Html): Buffer {
  const { markup } = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><p>Pricetape</p></header>
<main id="main">${main}</main>
<footer><p>Recorded by Pricetape. The texts are their providers’.</p></footer>
</body>
</html>
`
  return Buffer.from(markup)
}

/** Returns the page that says why another cannot be shown. */
export const errorPage = (title: string, message: string): Buffer =>
  page(`${title} · Pricetape`, html`<h1>${title}</h1><p class="lead">${message}</p>`)
