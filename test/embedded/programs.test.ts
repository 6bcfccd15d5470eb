import { chmod, cp, lstat, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { finishInstall, postgresProblem, postgresPrograms } from '../../src/embedded/postgres/programs.ts'
import { lacks } from '../support/suite/needs.ts'

describe.skipIf(lacks('Linux'))('PostgreSQL’s programs (needs Linux)', () => {
  it('run where the package’s install script did not: its links are made, once and again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pricetape-programs-'))
    try {
      const { native: installed } = await postgresPrograms()
      const native = join(folder, 'native')
      const isFile = async (path: string) => !(await lstat(path)).isSymbolicLink()
      await cp(installed, native, { recursive: true, filter: isFile })
      await chmod(join(native, 'bin', 'postgres'), 0o644)
      expect(await postgresProblem({ native })).toBeDefined()
      await chmod(join(native, 'bin', 'postgres'), 0o755)
      expect(await postgresProblem({ native })).toMatch(/shared libraries: lib\w+\.so\.\d+/)
      await chmod(join(native, 'bin', 'postgres'), 0o644)
      await finishInstall(native)
      await finishInstall(native)
      expect(await postgresProblem({ native })).toBeUndefined()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
