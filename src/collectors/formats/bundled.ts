import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { runInNewContext } from 'node:vm'
import type { Instant } from '../../lib/instant.ts'

/** A real snapshot that comes with the product, and when it was published. */
export type BundledSnapshot = {
  version: string
  at: Instant
  /** The package it came in, as a package URL. */
  address: string
  bytes: () => Uint8Array
}

/**
 * Published versions of @pydantic/genai-prices (MIT), pinned in package.json, with the instant each was released: the
 * time of its tag v0.0.35, v0.0.53, v0.0.72, and for 0.1.8 the registry's.
 */
const RELEASES = [
  { version: '0.0.35', alias: 'genai-prices-2025-10', at: '2025-10-19T10:03:35.000Z' },
  { version: '0.0.53', alias: 'genai-prices-2026-02', at: '2026-02-11T20:44:52.000Z' },
  { version: '0.0.72', alias: 'genai-prices-2026-07', at: '2026-07-22T20:56:01.000Z' },
  { version: '0.1.8', alias: 'genai-prices-2026-09', at: '2026-09-23T10:11:04.622Z' },
]

/** The bundled snapshots of a format, oldest first; the newest is the fallback where its URL cannot be reached. */
export function bundledSnapshots(format = 'genai-prices'): BundledSnapshot[] {
  if (format !== 'genai-prices') return []
  return RELEASES.map(({ version, alias, at }) => ({
    version,
    at: at as Instant,
    address: `pkg:npm/%40pydantic/genai-prices@${version}`,
    bytes: () => dataOf(alias),
  }))
}

/** The price data inside an installed package, as the JSON its project publishes. */
function dataOf(alias: string): Uint8Array {
  const file = createRequire(import.meta.url).resolve(alias)
  const text = readFileSync(file, 'utf8')
  for (const { index } of text.matchAll(/=\s*\[\s*\{/g)) {
    const literal = bracketed(text, text.indexOf('[', index))
    if (!literal) continue
    const data: unknown = runInNewContext(`(${literal})`, Object.create(null), {
      timeout: 10_000,
      contextCodeGeneration: { strings: false, wasm: false },
    })
    const json = JSON.stringify(data)
    if (json.startsWith('[{"id":') && json.includes('"models":[')) return new TextEncoder().encode(json)
  }
  throw new Error(`${file} holds no price data: install the packages again (npm ci)`)
}

/** The text from an opening bracket to the one that closes it, strings skipped. */
function bracketed(text: string, start: number): string | undefined {
  const token = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`|[[\]]/g
  token.lastIndex = start
  let depth = 0
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '[') depth++
    else if (match[0] === ']' && --depth === 0) return text.slice(start, token.lastIndex)
  }
  return undefined
}
