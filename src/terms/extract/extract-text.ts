import { storableText } from '../../lib/text.ts'
import { UnreadableDocument } from '../errors.ts'
import type { ExtractedText, Selectors } from '../schema.ts'
import { decodeText } from './decode-text.ts'
import { extractContainer, extractHtml } from './html.ts'
import { tidyMarkdown } from './markdown.ts'

/** Bytes of a document as fetched, and characters of its text, beyond which it is refused. */
const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024
const MAX_MARKDOWN_CHARACTERS = 3_000_000

/** What was fetched, and how its declaration says to read it. */
export type FetchedBytes = { bytes: Uint8Array; contentType?: string; url?: string; selectors: Selectors }

/**
 * Returns the readable text of a fetched document as Markdown.
 * @throws UnreadableDocument with one sentence when the bytes are not a document that can be read
 */
export async function extractText(fetched: FetchedBytes): Promise<ExtractedText> {
  if (fetched.bytes.byteLength > MAX_DOCUMENT_BYTES)
    throw new UnreadableDocument(`it is larger than ${MAX_DOCUMENT_BYTES} bytes`)
  const extracted = await extract(fetched)
  const markdown = storableText(extracted.markdown)
  if (markdown.length > MAX_MARKDOWN_CHARACTERS)
    throw new UnreadableDocument(`its text is longer than ${MAX_MARKDOWN_CHARACTERS} characters`)
  return { ...extracted, markdown }
}

async function extract(fetched: FetchedBytes): Promise<ExtractedText> {
  const { bytes, contentType, selectors } = fetched
  const kind = kindOf(fetched)
  if (kind === 'pdf') return (await import('./pdf/pdf.ts')).extractPdf(bytes)
  const text = decodeText(bytes, contentType)
  if (kind !== 'html') return { kind, markdown: tidyMarkdown(text), signals: [] }
  try {
    return extractHtml(text, selectors)
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error
    throw new UnreadableDocument(`it is not HTML that can be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** Returns the text of a page's container and a selector for it; undefined where it is not a web page. */
export function containerText(fetched: FetchedBytes): { markdown: string; selector?: string } | undefined {
  return kindOf(fetched) === 'html' ? extractContainer(decodeText(fetched.bytes, fetched.contentType)) : undefined
}

/** What the bytes are: their own first bytes decide before the header, which servers often get wrong. */
function kindOf({ bytes, contentType, url }: FetchedBytes): ExtractedText['kind'] {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const type = (contentType ?? '').split(';')[0]!.trim().toLowerCase()
  if (head.includes('%PDF-') && !/^\s*</.test(head)) return 'pdf'
  if (type === 'application/pdf') throw new UnreadableDocument('it is said to be a PDF and is none')
  const looksHtml = /^(?:\s|\ufeff|ï»¿)*<(?:!doctype|html|head|body|!--|\?xml|main|div|article|section|p|h1)\b/i.test(
    head,
  )
  if (/html|xml/.test(type) || looksHtml) return 'html'
  if (type !== '' && !type.startsWith('text/') && type !== 'application/octet-stream') {
    throw new UnreadableDocument(`it is ${type}, which is not a document`)
  }
  if (isBinary(head, type)) throw new UnreadableDocument('it is binary data, which is not a document')
  if (type === 'text/markdown' || /\.(?:md|markdown)(?:[?#]|$)/i.test(url ?? '')) return 'markdown'
  return 'text'
}

/** Real texts hold a NUL here and there; many of them, or one in bytes that no header calls a text, are binary data. */
const MAX_NULS = 4
const isBinary = (head: string, type: string): boolean =>
  !/^(?:ÿþ|þÿ)/.test(head) && head.split('\0').length - 1 > (type.startsWith('text/') ? MAX_NULS : 0)
