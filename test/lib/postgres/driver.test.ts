import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { driverProblem } from '../../../src/lib/postgres/driver.ts'

const PATCH_PACKAGE = resolve('node_modules/patch-package/index.js')

describe('the corrections of the database driver', () => {
  let folder: string
  let driver: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'driver-'))
    driver = join(folder, 'node_modules/postgres')
    for (const name of ['package.json', 'package-lock.json', 'patches', 'node_modules/postgres'])
      await cp(name, join(folder, name), { recursive: true })
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const patch = (...options: string[]) =>
    promisify(execFile)(process.execPath, [PATCH_PACKAGE, '--error-on-fail', ...options], { cwd: folder })

  it('are found on the driver of this installation', async () => {
    expect(await driverProblem()).toBeUndefined()
  })

  it('are missed where patches/ was not applied, or not all of it, and are there once it is', async () => {
    await patch('--reverse')
    expect(await driverProblem(driver)).toMatch(/lacks the corrections in patches\/\. Run: npx patch-package$/)
    const patches = (await readdir(join(folder, 'patches'))).sort()
    await rm(join(folder, 'patches', patches.at(-1)!))
    await patch()
    expect(await driverProblem(driver)).toMatch(/lacks the corrections/)
    await cp('patches', join(folder, 'patches'), { recursive: true })
    await patch()
    expect(await driverProblem(driver)).toBeUndefined()
  })
})
