import { isObject, textAt } from '../reading/json.ts'

/** One page of a list: how many items it has and where the next one is. Undefined when it is no such page. */
export function readPage({ bytes }: { bytes: Uint8Array }): { items: number; next?: string } | undefined {
  const page = parsePage(bytes)
  return page && { items: page.Items.length, next: textAt(page, 'NextPageLink') }
}

/** The items of all pages as one document. */
export function joinPages({ pages }: { pages: Uint8Array[] }): Uint8Array {
  const items = pages.flatMap((bytes) => parsePage(bytes)?.Items ?? [])
  return new TextEncoder().encode(JSON.stringify({ Items: items, Count: items.length }))
}

function parsePage(bytes: Uint8Array): { Items: unknown[] } | undefined {
  try {
    const page: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isObject(page) && Array.isArray(page.Items) ? (page as { Items: unknown[] }) : undefined
  } catch {
    return undefined
  }
}
