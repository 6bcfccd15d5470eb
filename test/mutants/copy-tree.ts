import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

const LEFT_OUT = new Set(['node_modules', '.git', '.data', '.cache', 'dist'])

/** Runs `work` in a copy of the repository, which is deleted afterwards: mutants never touch the real one. */
export async function withCopy<T>(root: string, work: (copy: string) => Promise<T>): Promise<T> {
  const copy = await mkdtemp(join(tmpdir(), 'pricetape-mutants-'))
  try {
    await cp(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) })
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
    return await work(copy)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}
