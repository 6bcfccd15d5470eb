import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { VERSION } from '../../src/lib/process/version.ts'
import { connect } from '../../src/lib/sql.ts'
import { ask, testServer } from '../support/api.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string) => readFile(join(ROOT, path), 'utf8')
const json = async (path: string) => JSON.parse(await read(path))

/** Where the version is written down besides package.json, which defines it. */
const VERSIONS: Record<string, (text: string) => unknown[]> = {
  'package-lock.json': (text) => [JSON.parse(text).version, JSON.parse(text).packages[''].version],
  'clients/typescript/package.json': (text) => [JSON.parse(text).version],
  'clients/python/pyproject.toml': (text) => [/^version = "(.*)"$/m.exec(text)?.[1]],
  'ops/helm/pricetape/Chart.yaml': (text) => [parse(text).version, parse(text).appVersion],
  Dockerfile: (text) => [/org\.opencontainers\.image\.version="(.*)"/.exec(text)?.[1]],
  'docker-compose.yml': (text) => [/^ {2}image: pricetape:(.*)$/m.exec(text)?.[1]],
  // What is not released yet stands above the newest release.
  'CHANGELOG.md': (text) => [/^## (\d\S*) - \d{4}-\d{2}-\d{2}$/m.exec(text)?.[1]],
}

describe('a release', () => {
  it('has the version that package.json defines', async () => {
    expect((await json('package.json')).version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(VERSION).toBe((await json('package.json')).version)
  })

  it.each(Object.keys(VERSIONS))('has the same version in %s', async (file) => {
    for (const version of VERSIONS[file]!(await read(file))) expect(version).toBe(VERSION)
  })

  it('has the same version in the OpenAPI document and at the start of the API', async () => {
    const server = await testServer(connect('postgres://nobody@127.0.0.1:1/none', { max: 1 }))
    const openapi = JSON.parse((await ask(server, '/openapi.json')).text)
    const home = JSON.parse((await ask(server, '/')).text)
    await server.close()
    expect([openapi.info.version, home.version]).toEqual([VERSION, VERSION])
  })

  it('has a threat model that names code that exists', async () => {
    const text = await read('docs/develop/threat-model.md')
    const named = [...text.matchAll(/`((?:src|test|ops|bench)\/[\w./-]+)`/g)].map(([, path]) => path!)
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it('carries its licence in every package', async () => {
    const licence = await read('LICENSE')
    expect(licence).toContain('Apache License\n                           Version 2.0, January 2004')
    expect(await read('clients/typescript/LICENSE')).toBe(licence)
    expect(await read('clients/python/LICENSE')).toBe(licence)
    expect((await json('package.json')).license).toBe('Apache-2.0')
    expect((await json('clients/typescript/package.json')).license).toBe('Apache-2.0')
    expect(await read('clients/python/pyproject.toml')).toContain('license = "Apache-2.0"')
  })
})
