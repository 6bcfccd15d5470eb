import { createHash } from 'node:crypto'
import { type Html, html, trusted } from './html-rules.ts'
import { PAGE_STYLE } from './page-style.ts'

export const HTML_TYPE = 'text/html; charset=utf-8'

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64')

/** No script, no picture from elsewhere, no frame; forms lead back to the page itself. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What search engines and services that show links say of a page: a sentence, and its address. */
type About = { text: string; url: string }

/** The app's pages that lead elsewhere; a page of a document belongs to the documents. */
const PAGES = [
  { path: '/', label: 'What changed' },
  { path: '/prices', label: 'Prices' },
  { path: '/documents', label: 'Documents' },
  { path: '/docs', label: 'API reference' },
]
const HERE = '/documents'

/** Returns a whole page in the app's design. */
export function page(title: string, main: Html, about?: About): Buffer {
  const { markup } = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>${about && descriptionTags(title, about)}
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${trusted(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the page</a>
<header class="bar"><div><a class="mark" href="/"><img src="/icon.svg" alt="" width="28" height="28">Pricetape</a>
<nav aria-label="Pages">${PAGES.map(link)}</nav><a class="button" href="/sign-in">Sign in</a></div></header>
<main id="main">${main}</main>
<footer><p>Recorded by Pricetape. The texts are their providers’.</p></footer>
</body>
</html>
`
  return Buffer.from(markup)
}

const link = ({ path, label }: (typeof PAGES)[number]): Html =>
  html`<a href="${path}"${path === HERE ? html` aria-current="true"` : ''}>${label}</a>`

const descriptionTags = (title: string, { text, url }: About): Html => html`
<meta name="description" content="${text}">
<meta property="og:site_name" content="Pricetape">
<meta property="og:type" content="article">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${text}">
<meta property="og:url" content="${url}">`

/** Returns the page that says why another cannot be shown. */
export const errorPage = (title: string, message: string): Buffer =>
  page(`${title} · Pricetape`, html`<h1>${title}</h1><p class="lead">${message}</p>`)
