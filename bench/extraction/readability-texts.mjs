/**
 * Writes what Readability extracts from each page of a folder: node readability-texts.mjs FOLDER, in a folder where
 * @mozilla/readability and jsdom are installed.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(join(process.cwd(), 'package.json'))
const { Readability } = require('@mozilla/readability')
const { JSDOM, VirtualConsole } = require('jsdom')

const folder = process.argv[2]
for (const { id, kind } of JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))) {
  if (kind !== 'html') continue
  const dom = new JSDOM(readFileSync(join(folder, `${id}.html`)), {
    url: 'https://example.com/',
    virtualConsole: new VirtualConsole(),
  })
  const article = new Readability(dom.window.document).parse()
  // Its text has no spaces between paragraphs: words would grow together.
  const text = (article?.content ?? '').replace(/<[^>]*>/g, ' ')
  writeFileSync(join(folder, `${id}.readability.txt`), new JSDOM(`<p>${text}`).window.document.body.textContent)
  dom.window.close()
}
