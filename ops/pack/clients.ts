import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { VERSION } from '../../src/lib/process/version.ts'
import { ROOT, run, say } from '../run.ts'

/** What each client says when it is used as someone who installed it: its own error for a server that is not there. */
const TYPESCRIPT = `
import { Pricetape } from 'pricetape-client'
import { verifyWebhook } from 'pricetape-client/webhooks'
if (typeof verifyWebhook !== 'function') throw new Error('no verifyWebhook')
await new Pricetape({ url: 'http://127.0.0.1:9', apiKey: 'key', retries: 0 }).providers().then(
  () => { throw new Error('answered') },
  () => console.log('runs'),
)`
const PYTHON = `
import pricetape, pathlib
from pricetape import Pricetape
from pricetape.webhooks import verify_webhook
assert pathlib.Path(pricetape.__file__).with_name("py.typed").exists(), "it is not typed"
assert "site-packages" in pricetape.__file__, pricetape.__file__
print(callable(verify_webhook) and Pricetape("http://127.0.0.1:9", "key") and "runs")`

/** The Python client as a wheel, installed into an environment of its own. Returns the wheel. */
export async function wheelInstalls(folder: string): Promise<string> {
  const wheels = join(folder, 'wheels')
  await run('python3', ['-m', 'pip', 'wheel', '-q', '--no-deps', '-w', wheels, join(ROOT, 'clients/python')])
  const [wheel] = await readdir(wheels)
  if (wheel !== `pricetape-${VERSION}-py3-none-any.whl`) throw new Error(`The wheel is ${wheel}`)
  const environment = join(folder, 'python')
  await run('python3', ['-m', 'venv', environment])
  const python = join(environment, 'bin/python')
  await run(python, ['-m', 'pip', 'install', '-q', '--no-index', join(wheels, wheel)])
  const said = (await run(python, ['-c', PYTHON], { cwd: folder })).trim()
  if (said !== 'runs') throw new Error(`The Python client: ${said}`)
  say(`ok  ${wheel}: installs without anything else, is typed, runs`)
  return join(wheels, wheel)
}

/** The TypeScript client as a package, installed into a folder of its own. Returns the package. */
export async function clientInstalls(folder: string): Promise<string> {
  const home = join(folder, 'client')
  await mkdir(home)
  const packing = ['pack', '--json', '--pack-destination', folder]
  await run('npx', ['tsc', '-p', 'clients/typescript'])
  const packed = await run('npm', [...packing, '--ignore-scripts'], { cwd: join(ROOT, 'clients/typescript') })
  const [{ filename }] = JSON.parse(packed.slice(packed.search(/^\[/m))) as [{ filename: string }]
  await writeFile(join(home, 'package.json'), '{ "private": true, "type": "module" }\n')
  await run('npm', ['install', '--no-audit', '--no-fund', join(folder, filename)], { cwd: home })
  await writeFile(join(home, 'use.js'), TYPESCRIPT)
  const said = (await run(process.execPath, ['use.js'], { cwd: home })).trim()
  if (said !== 'runs') throw new Error(`The TypeScript client: ${said}`)
  say(`ok  ${filename}: installs and runs`)
  return join(folder, filename)
}
