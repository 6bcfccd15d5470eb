import { chmod, lstat, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  dataFolder,
  makeDataFolder,
  readOrMakeSecrets,
  readRememberedPorts,
  rememberPorts,
} from '../../src/embedded/data-folder.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pricetape-folder-'))
})
afterAll(() => rm(root, { recursive: true }))

it('Servers that start at the same time remember their ports beside each other', async () => {
  const folder = dataFolder(root)
  for (let port = 1; port <= 20; port++) {
    await Promise.all([
      rememberPorts(folder, { postgresPort: port, postgresFolder: 'postgres' }),
      rememberPorts(folder, { temporalPort: port, temporalPid: 7 }),
    ])
    expect(await readRememberedPorts(folder)).toEqual({
      postgresPort: port,
      postgresFolder: 'postgres',
      temporalPort: port,
      temporalPid: 7,
    })
  }
})

it('A start closes an old data folder, whose files everyone could read, to all but its owner', async () => {
  const folder = dataFolder(join(root, 'old'))
  const files = [folder.secrets, folder.ports, join(folder.logs, 'temporal.log')]
  await mkdir(folder.postgres, { recursive: true })
  await mkdir(folder.logs)
  for (const file of files) await writeFile(file, 'kept')
  for (const file of files) await chmod(file, 0o644)
  for (const directory of [folder.root, folder.logs, folder.postgres]) await chmod(directory, 0o755)

  await makeDataFolder(folder)

  const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  // As root, the database server runs as another user, who has to get through.
  expect(await mode(folder.root)).toBe(process.getuid?.() === 0 ? '711' : '700')
  expect(await mode(folder.logs)).toBe('700')
  for (const file of files) expect(await mode(file)).toBe('600')
  // The database's own folder belongs to its server, which refuses modes that it did not set.
  expect(await mode(folder.postgres)).toBe('755')
})

it('Keys that are missing are not made again beside a database, which no one could open with them', async () => {
  const remedy =
    /secrets\.json is missing, and the database in .* Restore it from your backup\. To begin again .* move .* away/
  const inside = dataFolder(join(root, 'inside'))
  await mkdir(inside.postgres, { recursive: true })
  await writeFile(join(inside.postgres, 'PG_VERSION'), '18')
  await expect(readOrMakeSecrets(inside)).rejects.toThrow(remedy)
  const elsewhere = dataFolder(join(root, 'elsewhere'))
  await mkdir(elsewhere.root)
  await rememberPorts(elsewhere, { postgresFolder: inside.postgres })
  await expect(readOrMakeSecrets(elsewhere)).rejects.toThrow(remedy)
  for (const folder of [inside, elsewhere]) await expect(lstat(folder.secrets)).rejects.toThrow('ENOENT')
})

it('Remembered places that cannot be read are not taken for a first start', async () => {
  const folder = dataFolder(join(root, 'unreadable-places'))
  await mkdir(folder.root)
  await symlink(join(root, 'not-mounted', 'places.json'), folder.ports)
  await expect(readRememberedPorts(folder)).rejects.toThrow(/places\.json cannot be read/)
  await expect(rememberPorts(folder, { temporalPort: 1 })).rejects.toThrow(/places\.json cannot be read/)
})

it('Keys that cannot be read are not replaced by new ones', async () => {
  const folder = dataFolder(join(root, 'unreadable'))
  await mkdir(folder.root)
  await symlink(join(root, 'not-mounted', 'secrets.json'), folder.secrets)
  await expect(readOrMakeSecrets(folder)).rejects.toThrow(/secrets\.json cannot be read/)
  expect((await lstat(folder.secrets)).isSymbolicLink()).toBe(true)
})
