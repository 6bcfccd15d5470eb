import { canonicalJson } from '../../lib/canonical-json.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Selectors } from '../schema.ts'

/** Raise it when the same bytes would give other Markdown or another normal form. */
const EXTRACTOR_VERSION = 26

/** Names what decides how a document's bytes are read: the extractor and the declared selectors. */
export const extractorOf = ({ select, remove }: Selectors): string =>
  `${EXTRACTOR_VERSION}.${sha256(canonicalJson({ select, remove })).slice(0, 8)}`
