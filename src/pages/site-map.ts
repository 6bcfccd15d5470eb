import { listGroups } from '../aliases/list-groups.ts'
import type { Api } from '../api/route.ts'
import type { SendAnswer } from '../api/serving/send-answer.ts'
import { HOUR } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import { readPrices } from '../prices/explore/read-prices.ts'
import { listDocuments } from '../terms/read/list-documents.ts'
import { html, trusted } from './html-rules.ts'
import { keptFile } from './kept-file.ts'

type Tools = { sql: Sql; origin: string; publicPages: boolean; sendAnswer: SendAnswer }

/** As many addresses may stand in one map (sitemaps.org). */
const MOST_ADDRESSES = 50_000

/** What search engines may visit: the public pages, where there are any, and never what needs an account. */
export function siteMap({ sql, origin, publicPages, sendAnswer }: Tools) {
  const robots = Buffer.from(publicPages ? openTo(origin) : 'User-agent: *\nDisallow: /\n')
  let made: { at: number; bytes: Promise<Buffer> } | undefined
  const map = (): Promise<Buffer> => {
    if (made && Date.now() - made.at <= HOUR) return made.bytes
    const bytes = addressesOf(sql, origin)
    made = { at: Date.now(), bytes }
    // A map that could not be made is made again for the next request.
    bytes.catch(() => {
      made = undefined
    })
    return bytes
  }
  return async (api: Api): Promise<void> => {
    const file = (path: string, type: string, read: () => Promise<Buffer>) =>
      api.get(path, { schema: { hide: true } }, async (request, reply) => {
        return sendAnswer(request, reply, keptFile(await read(), type))
      })
    file('/robots.txt', 'text/plain; charset=utf-8', async () => robots)
    if (publicPages) file('/sitemap.xml', 'application/xml; charset=utf-8', map)
  }
}

/** The pages are readable; what is behind them, and what needs an account, is not visited. */
const openTo = (origin: string): string =>
  [
    'User-agent: *',
    ...['/v1/', '/operator/', '/webhooks', '/keys', '/members', '/workspaces', '/account'].map(
      (path) => `Disallow: ${path}`,
    ),
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n')

async function addressesOf(sql: Sql, origin: string): Promise<Buffer> {
  const [{ resources }, groups, documents] = [
    await readPrices(sql, {}),
    await listGroups(sql),
    await listDocuments(sql),
  ]
  const path = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`
  const paths = new Set([
    '/',
    '/prices',
    '/documents',
    ...groups.map(({ id }) => path('compare', id)),
    ...documents.map(({ provider, document }) => path('documents', provider, document)),
    ...resources.map(({ provider, resource }) => path('prices', provider, resource)),
  ])
  const { markup } = html`${trusted('<?xml version="1.0" encoding="UTF-8"?>')}
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${[...paths].slice(0, MOST_ADDRESSES).map((one) => html`<url><loc>${origin + one}</loc></url>\n`)}</urlset>
`
  return Buffer.from(markup)
}
