import { databaseNow } from '../../catalog/clock-store.ts'
import { seeProviders } from '../../catalog/provider-store.ts'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import type { DocumentOptions } from '../schema.ts'
import { documentOf } from '../store/document-store.ts'
import { saveDocument } from '../store/version-store.ts'

/** Lists a document and its provider as its source declares them. */
export async function introduceDocument(tx: Tx, source: SourceDeclaration, options: DocumentOptions, at: Instant) {
  const provider = { provider: options.provider, name: options.providerName ?? options.provider }
  await seeProviders(tx, source.source, [provider], at)
  await saveDocument(tx, source.source, options, source.url ?? '', at)
}

/** Lists a known document under the title, address or slug that its source declares now. */
export async function updateDeclaration(sql: Sql, source: SourceDeclaration, options: DocumentOptions): Promise<void> {
  const { provider, document, title } = options
  const known = await documentOf(sql, source.source)
  if (!known || canonicalJson(known) === canonicalJson({ provider, document, title, url: source.url ?? '' })) return
  const now = await databaseNow(sql)
  await sql.begin((tx) => introduceDocument(tx, source, options, now))
}
