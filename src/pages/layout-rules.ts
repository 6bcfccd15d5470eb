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

/** Returns a whole page. @param about a sentence for search engines, and for services that show links */
export function page(title: string, main: Html, about?: string): Buffer {
  const { markup } = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>${about === undefined ? undefined : descriptionTags(title, about)}
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

const descriptionTags = (title: string, about: string): Html => html`
<meta name="description" content="${about}">
<meta property="og:site_name" content="Pricetape">
<meta property="og:type" content="article">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">`

/** Returns the page that says why another cannot be shown. */
export const errorPage = (title: string, message: string): Buffer =>
  page(`${title} · Pricetape`, html`<h1>${title}</h1><p class="lead">${message}</p>`)
