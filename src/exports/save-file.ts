import { open, rename, rm } from 'node:fs/promises'

/** Writes a file whole or not at all: what was there under its name stays until all of it is on the disk. */
export async function saveFile(path: string, parts: AsyncIterable<Uint8Array>): Promise<void> {
  const unfinished = `${path}.${process.pid}.part`
  try {
    await using file = await open(unfinished, 'wx')
    for await (const part of parts) await file.writeFile(part)
    await file.sync()
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  await rename(unfinished, path)
}
