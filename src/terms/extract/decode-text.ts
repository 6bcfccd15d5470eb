import { getEncoding } from 'encoding-sniffer'
import iconv from 'iconv-lite'
import { storableText } from '../../lib/text.ts'

/**
 * The text of a page in the charset a browser would read it in: its byte order mark decides, then its header, then its
 * own declaration. A page that says UTF-8 and is not is read as its next declaration says, or as Windows-1252.
 */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fits = isValidUtf8(buffer)
  const defaultEncoding = fits ? 'utf-8' : 'windows-1252'
  const header = /charset\s{0,9}=\s{0,9}["']?([\w:-]{2,40})/i.exec(contentType)?.[1]
  const declared = [
    getEncoding(buffer, { transportLayerEncodingLabel: header, defaultEncoding }),
    getEncoding(buffer, { defaultEncoding }),
  ]
  const charset = declared.find((name) => iconv.encodingExists(name) && (fits || !/^utf-?8$/i.test(name)))
  return storableText(iconv.decode(buffer, charset ?? defaultEncoding))
}

function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
