import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { BlobReader, committedFiles } from '../../../src/terms/replay/git-history.ts'
import { gitIn } from './git-repository.ts'

const AT = '2026-03-01T00:00:00.000Z'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pricetape-git-'))
  git('init', '--quiet')
})
afterEach(() => rmSync(folder, { recursive: true }))

const git = (...args: string[]) => gitIn(folder)(AT, ...args)
function commit(path: string, text: string | Buffer, message = 'Snapshot') {
  writeFileSync(join(folder, path), text)
  git('add', '.')
  git('commit', '--quiet', '--message', message)
}

it('has each file as each commit left it, at its instant and with its origin, of any size', async () => {
  const large = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251))
  commit('terms é.html', 'first')
  commit('privacy.pdf', large)
  commit('terms é.html', 'second', 'Snapshot\n\nX-source-document-location: https://example.com/terms')
  git('rm', '--quiet', 'privacy.pdf')
  git('commit', '--quiet', '--message', 'Gone')

  const files = await committedFiles(folder)
  expect(files).toMatchObject([
    { path: 'terms é.html', at: AT, url: undefined },
    { path: 'privacy.pdf', at: AT },
    { path: 'terms é.html', at: AT, url: 'https://example.com/terms' },
  ])
  using blobs = new BlobReader(folder)
  for (const n of [1, 0, 1, 2]) {
    const read = await blobs.read(files[n]!.blob)
    expect(read.equals([Buffer.from('first'), large, Buffer.from('second')][n]!)).toBe(true)
  }
})

it('says what cannot be read: a folder without a history, and a file that it does not have', async () => {
  await expect(committedFiles(tmpdir())).rejects.toThrow('is not a Git history that can be read')
  using blobs = new BlobReader(folder)
  await expect(blobs.read('0'.repeat(40))).rejects.toThrow('The history does not hold the file 0000')
})
