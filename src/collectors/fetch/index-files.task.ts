import { isObject, textAt } from '../reading/json.ts'

/** A file that an index names, and what the index alone says about it. */
type IndexEntry = { file: string; aliases: string[] }

/** The files an index names. Undefined when it is not such an index. */
export function readIndex({ bytes }: { bytes: Uint8Array }): IndexEntry[] | undefined {
  const index = parse(bytes)
  if (!isObject(index) || !Array.isArray(index.models)) return undefined
  const entries = index.models.map((model: unknown) => {
    const file = isObject(model) ? textAt(model, 'file') : undefined
    const aliases = isObject(model) && Array.isArray(model.aliases) ? model.aliases : []
    return file && { file, aliases: aliases.filter((alias) => typeof alias === 'string') }
  })
  return entries.every((entry) => entry !== undefined && entry !== '') ? (entries as IndexEntry[]) : undefined
}

/** The files of an index as one document, each with the aliases the index gives. Undefined when one is not an object. */
export function joinFiles({ entries, files }: { entries: IndexEntry[]; files: Uint8Array[] }): Uint8Array | undefined {
  const models = files.map((bytes, i) => {
    const model = parse(bytes)
    return isObject(model) && { ...model, aliases: entries[i]!.aliases, file: entries[i]!.file }
  })
  return models.every(Boolean) ? new TextEncoder().encode(JSON.stringify({ models })) : undefined
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
