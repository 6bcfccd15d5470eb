/** What a row of the explorer is about: a resource of one source; of a machine, in one place and under one condition. */
type SourceResource = { provider: string; resource: string; source: string }
type PriceKind = { dimension: string; tier: Record<string, string> }

const MACHINE = /^(gpu|instance|vcpu|memory_gib|licence)_hours$|^storage_gib_months$/
export const isMachine = (dimension: string): boolean => MACHINE.test(dimension)

/** Returns the row that a price belongs to, as parts. Prices on demand and on the spot market share a row. */
export function rowParts({ provider, resource, source }: SourceResource, { dimension, tier }: PriceKind): string[] {
  if (!isMachine(dimension)) return [provider, resource, source]
  const { service = '', region = '', instance = '', ...others } = tier
  const conditions = [...Object.entries(others).sort(), ...(service === '' || service === 'spot' ? [] : [service])]
  return [provider, resource, source, dimension, region, instance, JSON.stringify(conditions)]
}

/** No name has a line break. */
export const joinParts = (parts: string[]): string => parts.join('\n')
export const splitParts = (key: string): string[] => key.split('\n')

/** Whether a price belongs to what was chosen: the first parts of a row, provider and resource at least. */
export function isOf(
  line: PriceKind & Omit<SourceResource, 'resource'> & { listed: string },
  chosen: string[],
): boolean {
  const parts = rowParts({ ...line, resource: line.listed }, line)
  return chosen.every((part, n) => parts[n] === part)
}
