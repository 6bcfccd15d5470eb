import iconv from 'iconv-lite'

const BOMS: [bytes: number[], charset: string][] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]
/** Where an HTML page has to name its charset (HTML standard: in its first 1024 bytes; real pages are late). */
const META_BYTES = 4_096

/** The text of a page: its byte order mark decides, then its header, then its own declaration, then what fits. */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const bom = BOMS.find(([mark]) => mark.every((byte, i) => buffer[i] === byte))
  const head = buffer.subarray(0, META_BYTES).toString('latin1')
  const declared = [
    bom?.[1],
    /charset\s*=\s*["']?([\w:-]{2,40})/i.exec(contentType)?.[1],
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w:-]{2,40})/i.exec(head)?.[1],
    /<\?xml[^>]{0,100}encoding\s*=\s*["']([\w:-]{2,40})/i.exec(head)?.[1],
  ]
  for (const charset of declared) {
    if (!charset || !iconv.encodingExists(charset)) continue
    if (isUtf8(charset) && !validUtf8(buffer)) continue // a page that says UTF-8 and is not: what else it says, or 1252
    return iconv.decode(buffer, charset)
  }
  return iconv.decode(buffer, validUtf8(buffer) ? 'utf-8' : 'windows-1252')
}

const isUtf8 = (charset: string) => /^utf-?8$/i.test(charset)

function validUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
