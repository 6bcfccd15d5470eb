import { readdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { cachedBundle } from '../../src/temporal/cached-bundle.ts'
import { shared } from '../support/shared.ts'

it('The bundled workflows of an earlier start are used while no source has changed, and those of another version are gone', async () => {
  const path = await shared('/bundle')
  const folder = dirname(path)
  expect(await cachedBundle(folder, pino({ level: 'silent' }))).toEqual({ codePath: path })
  // The bundle of another version and a file of someone else were there before (test/support/code/bundle-workflows.ts).
  expect((await readdir(folder)).sort()).toEqual(['of-someone-else.js', basename(path)])
  expect(basename(path)).toMatch(/^workflow-bundle-[0-9a-f]{32}\.js$/)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})
