import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

const MIGRATION =
  '-- A migration that expands, as every one does.\nalter table delivery add column next_version text;\n'
const OLDER_CODE = 'if (notified())'
const NEWER_CODE = `if (patched('next version')) setCurrentDetails('the next version'); ${OLDER_CODE}`

/**
 * Makes another version of the compiled product: a higher number, one more migration, and a delivery workflow that
 * does something else. Workflows that the first version started have to go on in it.
 */
export async function makeNextVersion(first: string, next: string): Promise<string> {
  await rm(next, { recursive: true, force: true })
  await cp(first, next, { recursive: true })
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'))
  const [major, minor] = version.split('.').map(Number)
  const number = `${major}.${minor + 1}.0`
  await writeFile(join(next, 'package.json'), JSON.stringify({ name: 'pricetape', version: number, type: 'module' }))
  await writeFile(join(next, 'src/database/migrations/9999_next_version.sql'), MIGRATION)
  const workflow = join(next, 'workflows/delivery.js')
  const code = await readFile(workflow, 'utf8')
  const changed = code.replace('import { condition', 'import { patched, condition').replace(OLDER_CODE, NEWER_CODE)
  if (changed.split('patched').length !== 3) throw new Error('the delivery workflow is not as the trial expects it')
  await writeFile(workflow, changed)
  const index = join(next, 'workflows/index.js')
  const bundled = await bundleWorkflowCode({
    workflowsPath: index,
    preloadModules: [index],
    logger: new DefaultLogger('WARN'),
  })
  await writeFile(join(next, 'workflow-bundle.js'), bundled.code)
  return number
}
