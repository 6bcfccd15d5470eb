import { publishing, type Stamp } from '../../catalog/clock/clock-store.ts'
import { forgetProviders, seeProviders } from '../../catalog/providers/provider-store.ts'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { type DocumentOptions, documentOptions } from '../schema.ts'
import { documentOf, documentState, sourcesOfDocuments } from '../store/document-store.ts'
import { saveDocument } from '../store/version-store.ts'
import { activateProvider } from './activate-provider.ts'

/** Lists a document and its provider as its source declares them. A provider that gets its texts with it is active. */
export async function introduceDocument(tx: Tx, stamp: Stamp, source: SourceDeclaration, options: DocumentOptions) {
  const { at } = stamp
  const provider = { provider: options.provider, name: options.providerName ?? options.provider }
  await seeProviders(tx, source.source, [provider], at)
  await saveDocument(tx, source.source, options, source.url ?? '', at)
  if ((await documentState(tx, source.source)).current) await activateProvider(tx, stamp, options.provider)
  await forgetProviders(tx, source.source, [options.provider], at)
}

/** Lists documents of sources that have none yet, before they are read: they are what filters can name. */
export async function introduceDocuments(sql: Sql, sources: SourceDeclaration[]): Promise<void> {
  const known = await sourcesOfDocuments(sql)
  const wanted = sources
    .filter(({ source }) => !known.has(source))
    .map((source) => ({ source, options: documentOptions.parse(source.options) }))
  if (wanted.length === 0) return
  await publishing(sql, async (tx, stamp) => {
    for (const { source, options } of wanted) await introduceDocument(tx, stamp, source, options)
  })
}

/** Lists a known document under the title, address or slug that its source declares now. */
export async function updateDeclaration(sql: Sql, source: SourceDeclaration, options: DocumentOptions): Promise<void> {
  const { provider, document, title } = options
  const known = await documentOf(sql, source.source)
  if (!known || canonicalJson(known) === canonicalJson({ provider, document, title, url: source.url ?? '' })) return
  await publishing(sql, (tx, stamp) => introduceDocument(tx, stamp, source, options))
}
