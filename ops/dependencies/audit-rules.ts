/** What `npm audit --json` prints; without `vulnerabilities` where the registry did not answer. */
export type Audit = {
  vulnerabilities?: Record<string, { severity: string; via: ({ title?: string } | string)[]; nodes?: string[] }>
}

/** Returns the known vulnerabilities of packages at these paths; undefined where the registry did not answer. */
export function vulnerabilitiesOf(audit: Audit | undefined, shipped: Set<string>): string[] | undefined {
  if (!audit?.vulnerabilities) return undefined
  return Object.entries(audit.vulnerabilities).flatMap(([name, { severity, via, nodes }]) => {
    if (nodes && !nodes.some((path) => shipped.has(path))) return []
    const titles = via.flatMap((cause) => (typeof cause === 'object' && cause.title ? [cause.title] : []))
    return [`${name} has a known vulnerability (${severity}): ${titles.join('; ') || 'see npm audit'}`]
  })
}
