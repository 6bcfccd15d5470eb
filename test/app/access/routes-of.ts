import type { Api } from '../../../src/api/route.ts'

/** Every route that Fastify has, with its method. */
export function routesOf(server: Api): string[] {
  const found: string[] = []
  const path: string[] = []
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, part, methods] = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?/.exec(line) ?? []
    if (indent === undefined) continue
    // The tree shows a wildcard beside what stands below the same path.
    const isFileOfLog = part === '*' && indent.length === 4
    path.splice(indent.length / 4, path.length, isFileOfLog ? 'v1/log/*' : part!)
    for (const method of methods?.split(', ') ?? []) if (method !== 'HEAD') found.push(`${method} ${path.join('')}`)
  }
  return found
}
