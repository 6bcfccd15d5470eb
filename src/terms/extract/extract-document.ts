import { canonicalJson } from '../../lib/canonical-json.ts'
import { sha256 } from '../../lib/hash.ts'
import type { DerivedDocument, DocumentOptions } from '../schema.ts'
import { UnreadableDocument } from './errors.ts'
import { deriveHtml } from './html.ts'
import { deriveIsolated } from './isolated.ts'
import { tidyMarkdown } from './markdown.ts'
import { derivePdf } from './pdf.ts'
import { decodeText } from './text.ts'

/** Raise it when the same bytes would give other Markdown or another normal form. */
const EXTRACTOR_VERSION = 2
/** Bytes of a document as fetched, and characters of its text, beyond which it is refused. */
const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024
const MAX_MARKDOWN_CHARACTERS = 3_000_000

/** What decides how a document's bytes are read: the extractor and the declared selectors. */
export const extractorOf = (options: Pick<DocumentOptions, 'select' | 'remove'>): string =>
  `${EXTRACTOR_VERSION}.${sha256(canonicalJson({ select: options.select, remove: options.remove })).slice(0, 8)}`

export type DocumentContext = {
  contentType?: string
  url?: string
  options: Pick<DocumentOptions, 'select' | 'remove'>
}

/** Up to this size and this many tags, a page is read at once; larger ones, and PDFs, in a thread that can be ended. */
const SMALL_BYTES = 256 * 1024
const SMALL_TAGS = 6_000

/**
 * The readable text of a fetched document, as Markdown.
 * @throws UnreadableDocument with one sentence when the bytes are no document that can be read.
 */
export async function deriveDocument(bytes: Uint8Array, context: DocumentContext): Promise<DerivedDocument> {
  if (bytes.byteLength > MAX_DOCUMENT_BYTES)
    throw new UnreadableDocument(`it is larger than ${MAX_DOCUMENT_BYTES} bytes`)
  const kind = kindOf(bytes, context)
  if (kind === 'text' || kind === 'markdown') return deriveHere(bytes, context)
  if (kind === 'html' && bytes.byteLength <= SMALL_BYTES && tagsIn(bytes) <= SMALL_TAGS)
    return deriveHere(bytes, context)
  return deriveIsolated(bytes, context)
}

function tagsIn(bytes: Uint8Array): number {
  let tags = 0
  for (const byte of bytes) if (byte === 60) tags++
  return tags
}

/** Reads a document in this thread; {@link deriveDocument} is what everybody else calls. */
export async function deriveHere(bytes: Uint8Array, context: DocumentContext): Promise<DerivedDocument> {
  const derived = await read(bytes, context)
  if (derived.markdown.length > MAX_MARKDOWN_CHARACTERS) {
    throw new UnreadableDocument(`its text is longer than ${MAX_MARKDOWN_CHARACTERS} characters`)
  }
  return derived
}

async function read(bytes: Uint8Array, context: DocumentContext): Promise<DerivedDocument> {
  const kind = kindOf(bytes, context)
  if (kind === 'pdf') return derivePdf(bytes)
  const text = decodeText(bytes, context.contentType)
  if (kind !== 'html') return { kind, markdown: tidyMarkdown(text), signals: [] }
  try {
    return deriveHtml(text, context.options)
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error
    throw new UnreadableDocument(`it is not HTML that can be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** What the bytes are: their own first bytes decide before the header, which servers often get wrong. */
function kindOf(bytes: Uint8Array, context: Pick<DocumentContext, 'contentType' | 'url'>): DerivedDocument['kind'] {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const type = (context.contentType ?? '').split(';')[0]!.trim().toLowerCase()
  if (head.includes('%PDF-') && !/^\s*</.test(head)) return 'pdf'
  if (type === 'application/pdf') throw new UnreadableDocument('it is said to be a PDF and is none')
  const looksHtml = /^(?:\s|\ufeff|ï»¿)*<(?:!doctype|html|head|body|!--|\?xml|main|div|article|section|p|h1)\b/i.test(
    head,
  )
  if (/html|xml/.test(type) || looksHtml) return 'html'
  if (type !== '' && !type.startsWith('text/') && type !== 'application/octet-stream') {
    throw new UnreadableDocument(`it is ${type}, which is no document`)
  }
  if (head.includes('\0') && !/^(?:ÿþ|þÿ)/.test(head))
    throw new UnreadableDocument('it is binary data, which is no document')
  if (type === 'text/markdown' || /\.(?:md|markdown)(?:[?#]|$)/i.test(context.url ?? '')) return 'markdown'
  return 'text'
}
