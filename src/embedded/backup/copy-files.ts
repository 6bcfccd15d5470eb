import type { Dirent } from 'node:fs'
import { chmod, chown, constants, copyFile, mkdir, open, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A server removes files while they are copied: what recovery needs of them is in its log. */
const whereThere = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/** Copies a file with its owner and rights, onto the disk. Returns its size; undefined where it is gone. */
export async function copyWhole(from: string, to: string): Promise<number | undefined> {
  const known = await whereThere(stat(from))
  if (!known || (await whereThere(copyFile(from, to, constants.COPYFILE_FICLONE).then(() => true))) === undefined)
    return undefined
  await own(to, known)
  const copied = await open(to, 'r+')
  try {
    await copied.sync()
    return (await copied.stat()).size
  } finally {
    await copied.close()
  }
}

/** Makes a folder with the owner and rights of another. */
async function copyFolder(from: string, to: string): Promise<void> {
  const known = await stat(from)
  await mkdir(to, { recursive: true })
  await own(to, known)
}

/** Writes a file beside copies, with the owner and rights of one of them. */
export async function writeBeside(path: string, text: string, copy: string): Promise<void> {
  await writeFile(path, text, { flush: true })
  await own(path, await stat(copy))
}

async function own(path: string, { uid, gid, mode }: { uid: number; gid: number; mode: number }): Promise<void> {
  await chmod(path, mode)
  if (process.getuid?.() === 0) await chown(path, uid, gid)
}

/** Copies a folder without what `skips` names. Returns how many bytes were copied. */
export async function copyTree(from: string, to: string, skips: (path: string) => boolean, path = ''): Promise<number> {
  await copyFolder(join(from, path), join(to, path))
  let bytes = 0
  for (const entry of (await whereThere(readdir(join(from, path), { withFileTypes: true }))) ?? ([] as Dirent[])) {
    const inside = join(path, entry.name)
    if (skips(inside)) continue
    if (entry.isDirectory()) bytes += await copyTree(from, to, skips, inside)
    else if (entry.isFile()) bytes += (await copyWhole(join(from, inside), join(to, inside))) ?? 0
  }
  return bytes
}

/** Puts the names in a folder, and in those within, onto the disk: a file's own sync does not. */
export async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name))
  await syncFolder(folder)
}

export async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  await opened.sync().finally(() => opened.close())
}
