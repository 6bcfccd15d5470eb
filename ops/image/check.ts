/**
 * `npm run image:check`: builds the Dockerfile and runs `migrate`, `api` and `worker` from the image, without rights and with
 * a root that cannot be written, against a PostgreSQL and a Temporal server outside. It reads a price, receives a signed
 * delivery, and stops everything. It needs root on Debian, and installs buildah and debootstrap. With `--if-possible` it says
 * why where a machine cannot build images, and ends well: no mirror of Debian, or no right to mount. With `--without-optional`
 * the image is built without the optional packages.
 */
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv } from 'node:process'
import { installed } from '../../test/support/toolchains/install.ts'
import { ROOT, say } from '../run.ts'
import { BASE, baseImage, buildah } from './base-image.ts'
import { type Container, createContainer } from './container.ts'
import { runProduct } from './run-product.ts'

const IMAGE = 'localhost/pricetape:check'
const APT = { buildah: ['buildah', 'crun'], debootstrap: ['debootstrap'] }

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`

if (process.getuid?.() !== 0) throw new Error('Building an image without a daemon needs root here.')
const began = performance.now()
await prepare().catch((error: Error) => {
  if (!argv.includes('--if-possible')) throw error
  say(`The image was not checked, because this machine cannot build one: ${error.message}`)
  process.exit(0)
})
say(`ok  base ${BASE}: ${seconds(began)}`)
const building = performance.now()
await buildah(
  'bud',
  '--isolation',
  'chroot',
  '--layers',
  '--pull=never',
  // npm opens more files at once than the default allows.
  '--ulimit=nofile=16384:16384',
  '--build-arg',
  `NODE_IMAGE=${BASE}`,
  '--build-arg',
  `WITH_OPTIONAL=${!argv.includes('--without-optional')}`,
  '-t',
  IMAGE,
  ROOT,
)
say(`ok  built: ${seconds(building)}`)
const container = await createContainer(IMAGE)
const folder = await mkdtemp(join(tmpdir(), 'pricetape-image-'))
await chmod(folder, 0o711)
try {
  await hasEverything(container)
  await runProduct(container, folder)
} finally {
  await container.remove()
  await rm(folder, { recursive: true, force: true })
}
say(`The image works: ${seconds(began)} in all.`)
process.exit(0)

/** Installs the tools, makes the base image, and runs its Node: what a machine may refuse, and no fault of the Dockerfile. */
async function prepare(): Promise<void> {
  for (const [program, packages] of Object.entries(APT)) await installed(program, packages)
  await baseImage()
  const container = (await buildah('from', '--pull=never', BASE)).trim()
  try {
    await buildah('run', '--isolation', 'chroot', container, '--', 'node', '--version')
  } finally {
    await buildah('rm', container)
  }
}

/** The image holds all that the product reads, and neither sources nor tools. */
async function hasEverything({ folder, config }: Container): Promise<void> {
  const app = join(folder, 'app')
  const names = async (path: string) => (await readdir(path, { recursive: true })).sort().join('\n')
  const sources = await names(join(ROOT, 'sources'))
  for (const path of ['sources', 'dist/sources']) same(path, await names(join(app, path)), sources)
  const declared = async (root: string) => JSON.parse(await readFile(join(root, 'sources/documents.json'), 'utf8'))
  same('documents', JSON.stringify(await declared(join(app, 'dist'))), JSON.stringify(await declared(ROOT)))
  const database = 'src/database'
  same(database, await names(join(app, 'dist', database)), await names(join(ROOT, database)))
  for (const file of ['dist/app/index.html', 'dist/workflow-bundle.js', 'bin/pricetape.js', 'LICENSE', 'package.json'])
    await stat(join(app, file))
  same('/app', (await readdir(app)).sort().join(' '), 'LICENSE bin dist node_modules package.json sources')
  for (const tool of ['vitest', 'vite', 'typescript', '@biomejs'])
    if (await stat(join(app, 'node_modules', tool)).catch(() => undefined)) throw new Error(`${tool} is in the image.`)
  same('user', config.User, '1000')
  const size = (await buildah('images', '--format', '{{.Size}}', IMAGE)).trim()
  say(`ok  all sources, ${(await declared(ROOT)).sources.length} documents, the SQL and the app: ${size}`)
}

function same(what: string, found: string, expected: string): void {
  if (found !== expected) throw new Error(`${what} in the image:\n${found}\nexpected:\n${expected}`)
}
