import type { Paging } from '../collector.ts'
import { isObject, type JsonObject, textAt } from '../reading/json.ts'

type Page = { items: number; next?: string }

/** One page of a list: how many items it has, and what says where the next one is. Undefined when it is not such a page. */
export function readPage({ bytes, paging }: { bytes: Uint8Array; paging: Paging }): Page | undefined {
  const page = parsePage(bytes, paging)
  return page && { items: page.items.length, next: textAt(page.object, paging.next) || undefined }
}

/** The items of all pages as one document. */
export function joinPages({ pages, paging }: { pages: Uint8Array[]; paging: Paging }): Uint8Array {
  const items = pages.flatMap((bytes) => parsePage(bytes, paging)?.items ?? [])
  return new TextEncoder().encode(JSON.stringify({ [paging.list]: items, Count: items.length }))
}

function parsePage(bytes: Uint8Array, { list }: Paging): { items: unknown[]; object: JsonObject } | undefined {
  try {
    const object: unknown = JSON.parse(new TextDecoder().decode(bytes))
    const items = isObject(object) ? object[list] : undefined
    return Array.isArray(items) ? { items, object: object as JsonObject } : undefined
  } catch {
    return undefined
  }
}
