import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Contract } from '../../src/app/contract.ts'
import { ROOT } from '../run.ts'
import type { GeneratedFile } from './schema.ts'

/** The endpoints of each resource of the app: its contracts without their schemas, for the browser. */
export async function generateEndpoints(): Promise<GeneratedFile[]> {
  const files = await readdir(join(ROOT, 'src/app'), { recursive: true })
  const contracts = files.filter((file) => file.endsWith('/contract.ts')).toSorted()
  return Promise.all(contracts.map((file) => endpointsOf(`src/app/${file}`)))
}

async function endpointsOf(path: string): Promise<GeneratedFile> {
  const contracts: Record<string, Contract> = await import(join(ROOT, path))
  const text = await readFile(join(ROOT, path), 'utf8')
  const names = [...text.matchAll(/^export const (\w+) = contract\(/gm)].map(([, name]) => name!)
  const folder = dirname(path)
  const lines = names.map((name) => {
    const { method, path: route } = contracts[name]!
    const line = `export const ${name} = endpoint('${method}', '${route}')`
    return line.length <= 120 ? line : `export const ${name} = endpoint(\n  '${method}',\n  '${route}',\n)`
  })
  return {
    path: `${folder}/endpoints.ts`,
    text: `// Written by "npm run generate" from contract.ts.
import { endpoint } from '${relative(folder, 'src/app/endpoint.ts')}'

${lines.join('\n')}
`,
  }
}
