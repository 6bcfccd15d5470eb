import { canonicalJson } from '../../lib/canonical-json.ts'
import type { Selectors } from '../schema.ts'

/** A declared document: where it is, and its selectors. */
export type DeclaredDocument = { url: string; selectors: Selectors }

const placeOf = (url: string) => /^https?:\/\/(?:www\.)?([^?#]*)/i.exec(url)?.[1]?.replace(/\/$/, '').toLowerCase()
const hostOf = (url: string) => placeOf(url)?.split('/')[0]

/** Returns the selectors declared for an address; for another page of a site whose documents all share theirs, those. */
export function selectorsFor(url: string, declared: DeclaredDocument[]): Selectors | undefined {
  const same = declared.find((document) => placeOf(document.url) === placeOf(url))
  if (same) return same.selectors
  const ofSite = declared.filter((document) => hostOf(document.url) === hostOf(url))
  const isShared = new Set(ofSite.map(({ selectors }) => canonicalJson(selectors))).size === 1
  return isShared ? ofSite[0]!.selectors : undefined
}
