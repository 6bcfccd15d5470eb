import { publishing, type Stamp } from '../../catalog/clock/clock-store.ts'
import { forgetProviders, seeProviders } from '../../catalog/providers/provider-store.ts'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { type DocumentOptions, documentOptions } from '../schema.ts'
import { documentOf, documentState, documents } from '../store/document-store.ts'
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

/**
 * Lists documents of sources that have none yet, before they are read: they are what filters can name. What reads the same page under
 * another name has that name first: a new source that takes the name it leaves is another document.
 */
export async function introduceDocuments(sql: Sql, sources: SourceDeclaration[]): Promise<void> {
  const known = new Map((await documents(sql)).map(({ source, ...row }) => [source, row]))
  const declared = sources.map((source) => ({ source, options: documentOptions.parse(source.options) }))
  const renamed = declared.filter(({ source, options }) => {
    const row = known.get(source.source)
    const isSamePage = row !== undefined && row.url === (source.url ?? '')
    return isSamePage && (row.provider !== options.provider || row.document !== options.document)
  })
  const wanted = [...renamed, ...declared.filter(({ source }) => !known.has(source.source))]
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
