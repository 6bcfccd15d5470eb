import { fetchSource, SOURCE_TIMEOUT_MS } from '../collectors/fetch/fetch-source.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import { OperatorError } from '../lib/errors.ts'
import { type DocumentCheck, previewDocument } from '../terms/read/preview-document.ts'
import type { Collecting } from './collecting.ts'
import type { CollectTools } from './schema.ts'

/** What a declaration finds now. Nothing is recorded. */
export type DeclarationCheck = { source: string; url?: string } & DocumentCheck

/**
 * Fetches each declared document, or one of them, and returns what its declaration finds and what would change.
 * @throws OperatorError when no declared document has this name
 */
export async function checkDocuments(
  collecting: Collecting,
  name: string | undefined,
  onChecked: (check: DeclarationCheck) => void = () => {},
): Promise<DeclarationCheck[]> {
  const { enabled } = await collecting.sources()
  const tools = await collecting.tools()
  const documents = enabled.filter(
    ({ kind, source, options }) =>
      kind === 'terms' && (!name || name === source || name === `${options.provider}/${options.document}`),
  )
  if (documents.length === 0)
    throw new OperatorError(`No declared document is called ${name}. See: npx pricetape source list`)
  const checks: DeclarationCheck[] = []
  for (const document of documents) {
    const check = await checkDocument(tools, document)
    onChecked(check)
    checks.push(check)
  }
  return checks
}

async function checkDocument(tools: CollectTools, source: DeclaredSource): Promise<DeclarationCheck> {
  const about = { source: source.source, url: source.url }
  const fetched = await fetchSource(tools, source, { neverRead: true, timeoutMs: SOURCE_TIMEOUT_MS })
  if (fetched.kind === 'failed') return { ...about, problem: fetched.problem }
  if (fetched.kind !== 'bytes')
    return { ...about, problem: 'It answered that nothing changed, though it was not asked.' }
  return { ...about, ...(await previewDocument(tools, source, fetched)) }
}
